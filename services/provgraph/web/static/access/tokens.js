// The tokens of people and programs: made, renewed and revoked. A token is shown once.

import { json } from "../api.js";
import { copyButton } from "../clipboard.js";
import { openDialog } from "../dialog.js";
import { append, button, element, fill, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";
import { whenTold } from "../text.js";
import { useToken } from "../token.js";

const ROUTE = "/api/v1/tokens";
const ROLES = [["reader", "reader: asks and reads"], ["writer", "writer: also adds and deletes"], ["auditor", "auditor: reads everything"], ["admin", "admin: anything"]];

export async function tokenSection(signal) {
  const list = element("div");
  const said = element("div");
  const show = async () => fill(list, tokenTable(await json(ROUTE, { signal }), act));
  const act = async (work) => {
    fill(said);
    try {
      await work();
      await show();
    } catch (error) {
      if (error.name !== "AbortError") fill(said, problemCard(error, { heading: "h3" }));
    }
  };
  await show();
  return element("section", { class: "stack", "aria-labelledby": "tokens" }, element("h2", { id: "tokens" }, "Tokens"), list, said, tokenForm(act, signal));

  function tokenTable(tokens) {
    if (!tokens.length) return element("p", { class: "soft" }, "There is no token: whoever reaches the service may do anything. From the first on, nobody comes in without one, so the first is an admin's.");
    const heads = ["Name", "Role", "Collections", "Groups", "Until", "Actions"];
    return element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": "List of tokens" }, element("table", {},
      element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, tokens.map((token) => element("tr", {},
        element("th", { scope: "row" }, quoted(token.name)), element("td", {}, token.role),
        element("td", {}, quoted(token.collections.join(", ") || "all")), element("td", {}, quoted(token.groups.join(", "))),
        element("td", {}, token.expires ? whenTold(token.expires) : "no end"),
        element("td", {}, element("span", { class: "row" },
          button("Renew", () => act(() => renew(token.name)), { class: "quiet", "aria-label": `Renew the token of ${token.name}` }),
          button("Revoke", () => act(() => revoke(token.name)), { class: "quiet", "aria-label": `Revoke the token of ${token.name}` }))))))));
  }

  async function renew(name) {
    showOnce(await json(`${ROUTE}/${encodeURIComponent(name)}/rotate`, { method: "POST", signal }), signal);
  }

  async function revoke(name) {
    await json(`${ROUTE}/${encodeURIComponent(name)}`, { method: "DELETE", signal });
    tell(`The token of ${name} is revoked.`);
  }
}

function tokenForm(act, signal) {
  const name = textField("token-name", "Name", { required: true });
  const role = element("select", { id: "token-role" }, ROLES.map(([value, label]) => element("option", { value }, label)));
  const groups = textField("token-groups", "Groups, with commas", {});
  const collections = textField("token-collections", "Only collections", { placeholder: "all" });
  const until = textField("token-until", "Until", { type: "date" });
  const form = element("form", { class: "row filters" }, name.node,
    element("div", { class: "field" }, element("label", { for: "token-role" }, "Role"), role), groups.node, collections.node, until.node,
    button("Create token", null, { type: "submit", class: "primary" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = {
      name: name.control.value.trim(), role: role.value, groups: listed(groups.control.value), collections: listed(collections.control.value),
      expires: until.control.value ? `${until.control.value}T23:59:59Z` : null,
    };
    act(async () => {
      showOnce(await json(ROUTE, { body, signal }), signal);
      form.reset();
    });
  });
  return form;
}

// An open service asks for a token from now on, this tab too: it takes the admin's that was made here.
function showOnce({ name, role, token }, signal) {
  if (role === "admin") useToken(token, { unlessThereIsOne: true });
  const dialog = openDialog(["The token of ", quoted(name)], [
    element("p", {}, "It is shown this once: copy it now."),
    element("p", {}, element("code", { class: "iri" }, token)),
    element("div", { class: "row" }, copyButton("Copy token", () => token, { class: "primary", copied: "Token copied" }), button("Close", () => dialog.close()))], signal);
}

export function listed(text) {
  return text.split(",").map((each) => each.trim()).filter(Boolean);
}

function textField(id, label, properties) {
  const control = element("input", { id, type: "text", autocomplete: "off", ...properties });
  return { control, node: append(element("div", { class: "field" }), element("label", { for: id }, label), control) };
}

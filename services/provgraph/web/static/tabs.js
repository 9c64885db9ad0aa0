// Tabs as the ARIA Authoring Practices have them: arrows move, the chosen one alone is in the order of Tab.

import { element, fill, freshId } from "./dom.js";

// `tabs` are { name, label, show(panel) }; a panel is filled when it is first opened. Returns { node, open(name) }.
export function tabbed(label, tabs, { first = tabs[0].name, onOpen = () => {} } = {}) {
  const made = tabs.map((tab) => {
    const [controlId, panelId] = [freshId("tab"), freshId("panel")];
    const control = element("button", { id: controlId, type: "button", role: "tab", "aria-controls": panelId }, tab.label);
    const panel = element("div", { id: panelId, role: "tabpanel", "aria-labelledby": controlId, class: "panel" });
    return { ...tab, control, panel, filled: false };
  });

  function open(name, { focus = false } = {}) {
    for (const each of made) {
      const chosen = each.name === name;
      each.control.setAttribute("aria-selected", String(chosen));
      each.control.tabIndex = chosen ? 0 : -1;
      each.panel.hidden = !chosen;
      if (chosen && !each.filled) {
        each.filled = true;
        each.show(fill(each.panel));
      }
      if (chosen && focus) each.control.focus();
    }
    onOpen(name);
  }

  made.forEach((each, index) => {
    each.control.addEventListener("click", () => open(each.name));
    each.control.addEventListener("keydown", (event) => {
      const step = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: made.length - 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      open(made.at(step % made.length).name, { focus: true });
    });
  });
  const list = element("div", { role: "tablist", class: "tabs", "aria-label": label }, made.map((each) => each.control));
  const node = element("div", { class: "tabbed" }, list, made.map((each) => each.panel));
  open(first);
  return { node, open };
}

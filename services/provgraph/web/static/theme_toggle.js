// Light, dark, or as the system has it, kept in the browser.

const KEPT_AS = "provgraph-theme";
const darkSystem = window.matchMedia("(prefers-color-scheme: dark)");

export function themeToggle(control) {
  const isDark = () => (document.documentElement.dataset.theme || (darkSystem.matches ? "dark" : "light")) === "dark";
  const tell = () => {
    control.textContent = isDark() ? "☀" : "☾";
    control.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
    control.title = control.getAttribute("aria-label");
  };
  control.addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    const system = darkSystem.matches ? "dark" : "light";
    document.documentElement.dataset.theme = next === system ? "" : next;
    try {
      localStorage.setItem(KEPT_AS, document.documentElement.dataset.theme);
    } catch {
      // It lasts until the page is loaded anew.
    }
    tell();
  });
  darkSystem.addEventListener("change", tell);
  tell();
}

// Sets the theme before anything is painted; "" is as the system has it.
(function () {
  "use strict";
  try {
    var theme = localStorage.getItem("provgraph-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (refused) {
    // A browser that keeps nothing shows the theme of the system.
  }
})();

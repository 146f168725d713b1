/* Shows an error with a new attempt if the script of the page cannot be loaded, so that a web view never stays blank.
   It is a script of its own, which may arrive although the other one does not. The script of the page sets `data-started`. */
(() => {
  const app = window.webkit?.messageHandlers?.flutter_bridge || window.flutter_bridge || window.ReactNativeWebView;

  function send(message) {
    if (app) {
      app.postMessage(message);
    }
  }

  function append(parent, name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  function check() {
    if (document.documentElement.hasAttribute("data-started") || document.getElementById("error")) {
      return;
    }
    const isDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const main = document.createElement("main");
    main.id = "error";
    main.className = isDark ? "fallback dark" : "fallback";
    const words = Object.values(window.doorstepWords || {})[0] || {};
    append(main, "h1", words.failed || "Something went wrong");
    append(main, "p", words.offline || "The page could not be loaded. Are you online?").setAttribute("role", "alert");
    append(append(main, "p", ""), "button", words.again || "Try again").onclick = () => window.location.reload();
    append(append(main, "p", ""), "button", words.close || "Close").onclick = () => {
      send("close_pressed");
      if (!app) {
        window.history.back();
      }
    };
    document.body.appendChild(main);
    send("initial_load_complete");
    send(isDark ? "themeStyle:light" : "themeStyle:default");
  }

  window.addEventListener("load", () => window.setTimeout(check, 0));
  /* A network that stalls ends no request. */
  window.setTimeout(check, 15000);
})();

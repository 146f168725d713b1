import "./pages.css";

/** The hosted pages; the renderer follows. */
document.getElementById("app")?.replaceChildren();

import "@fontsource-variable/inter/wght.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./app/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { start } from "./app/start";

const root = document.getElementById("root");
if (root) {
  void start().then((started) =>
    createRoot(root).render(
      <StrictMode>
        <App started={started} />
      </StrictMode>,
    ),
  );
}

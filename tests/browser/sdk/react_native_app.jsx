/** The Expo example in Strict Mode, drawn by react-native-web, with a web view of this folder. */

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Linking } from "react-native";
import App from "../../../sdks/typescript/examples/expo/App.tsx";

createRoot(document.getElementById("inline")).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

// The system opens the app by a link.
window.openLink = (url) => {
  for (const opened of new Set(Linking._eventCallbacks.url)) {
    opened({ url });
  }
};

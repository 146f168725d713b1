/**
 * The script of a page that an app keeps for starts without the service. It has all parts but Lottie, because the document
 * has no address below which it could find them. The app writes the address of the device into the document.
 */

import { list, object } from "@onboarding/flow/json";
import { Bridge } from "./bridge";
import { showError } from "./errorPage";
import { startFlow } from "./live";
import { loadedWords, useWords } from "./words";

class App extends Bridge {
  /** Hand the app events, which it sends when it can. The time at which they are sent is not known yet. */
  hand(events: unknown): void {
    this.send(
      `pending_events:${JSON.stringify(list(events).map((event) => ({ ...object(event), sentAt: undefined })))}`,
    );
  }
}

const app = new App();
const { fetch } = window;
window.fetch = async (address, request) => {
  if (!String(address).split("?")[0]?.endsWith("/api/analytics/events")) {
    return fetch(address, request);
  }
  app.hand(object(JSON.parse(String(request?.body))).events);
  return new Response('{"success":true}');
};
// What a beacon would repeat waits in the app.
navigator.sendBeacon = () => false;
// A document without an address has no entries of its own: Back is the flow's.
history.pushState = () => {};
history.replaceState = () => {};

useWords(Object.values(loadedWords())[0]);

const root = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
root.className = "app";
const address = new URL(document.body.dataset.stored || location.href) as unknown as Location;
startFlow(root, document.getElementById("flow")?.textContent ?? "", address).catch((failure) => {
  console.error(failure);
  showError(root);
});

/** Messages to the app of the web view. Each is a string for the first receiver that exists. */

import { memberOf } from "@onboarding/flow/json";
import type { Request } from "@onboarding/flow/session";

interface Receiver {
  postMessage(message: string): void;
}

type BridgedWindow = Window & {
  webkit?: { messageHandlers?: { flutter_bridge?: Receiver } };
  flutter_bridge?: Receiver;
  ReactNativeWebView?: Receiver;
};

const PERMISSIONS: Record<string, string> = {
  camera: "camera",
  photos: "photos",
  photo_library: "photos",
  location: "location",
  contacts: "contacts",
  microphone: "microphone",
  tracking: "tracking",
  notification: "notification",
  notifications: "notification",
  push: "notification",
};

export class Bridge {
  protected isClosed = false;
  private style = "";

  constructor(private readonly host: BridgedWindow = window as BridgedWindow) {}

  /** Whether the web view has a receiver. */
  get isPresent(): boolean {
    return this.receiver !== undefined;
  }

  /** Report the first paint. */
  loaded(): void {
    this.send("initial_load_complete");
  }

  /** Send the style of the status bar, unless it is unchanged. */
  sendThemeStyle(message: string): void {
    if (message !== this.style) {
      this.style = message;
      this.send(message);
    }
  }

  /**
   * Ask the app for its part of a screen. An unknown permission sends nothing. The promise is settled when the user has
   * returned; null without a receiver.
   */
  ask(request: Request): Promise<unknown> | null {
    this.sendRequest(request);
    return this.isPresent ? waitForReturn() : null;
  }

  private sendRequest(request: Request): void {
    switch (request.type) {
      case "permission":
        this.requestPermission(request.permission);
        break;
      case "purchase":
        this.send(`purchase:${request.productId}`);
        break;
      case "signup":
        // What was typed goes nowhere else.
        this.send(`signup:${JSON.stringify({ method: request.method, fields: request.fields })}`);
        break;
      case "rating":
        this.send("request_rating");
        break;
      case "restore":
        this.send("restore_purchases");
    }
  }

  /** Let the app open an address, because the page must stay in the web view. */
  openUrl(url: string): void {
    this.send(`open_url:${url}`);
  }

  /** Send the answers, if there are any. */
  sendAnswers(flowId: string, responses: object[]): void {
    if (responses.length > 0) {
      this.send(`form_responses:${JSON.stringify({ flowId, responses })}`);
    }
  }

  /** Hand the app the events that the service has not confirmed, and close. Later calls do nothing. */
  close(pending: object[] = []): void {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    if (pending.length > 0) {
      this.send(`pending_events:${JSON.stringify(pending)}`);
    }
    this.send("close_pressed");
  }

  private requestPermission(name: string): void {
    const known = memberOf(PERMISSIONS, name.toLowerCase());
    if (known) {
      const isPlural = known === "notification" && this.receiver === this.host.ReactNativeWebView;
      this.send(`request_permission:${isPlural ? "notifications" : known}`);
    }
  }

  private get receiver(): Receiver | undefined {
    return (
      this.host.webkit?.messageHandlers?.flutter_bridge ?? this.host.flutter_bridge ?? this.host.ReactNativeWebView
    );
  }

  /** A receiver that fails must not stop the flow. */
  protected send(message: string): void {
    try {
      this.receiver?.postMessage(message);
    } catch (error) {
      console.error(error);
    }
  }
}

/** Wait until the user returns from a dialog of the app: the page is visible or focused again, or after 1 s. */
export function waitForReturn(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      if (document.visibilityState === "visible") {
        window.clearTimeout(timeout);
        window.removeEventListener("focus", done);
        document.removeEventListener("visibilitychange", done);
        resolve();
      }
    };
    const timeout = window.setTimeout(resolve, 1000);
    window.addEventListener("focus", done);
    document.addEventListener("visibilitychange", done);
  });
}

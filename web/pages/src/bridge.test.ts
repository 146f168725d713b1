import { describe, expect, it, vi } from "vitest";
import { Bridge } from "./bridge";

function app(...names: string[]) {
  const sent: [string, string][] = [];
  const receiver = (name: string) => ({ postMessage: (text: string) => void sent.push([name, text]) });
  const all: Record<string, object> = {
    webkit: { webkit: { messageHandlers: { flutter_bridge: receiver("webkit") } } },
    flutter: { flutter_bridge: receiver("flutter") },
    react: { ReactNativeWebView: receiver("react") },
  };
  const host = Object.assign({}, ...names.map((name) => all[name])) as Window;
  return { sent, bridge: new Bridge(host) };
}

describe("the bridge", () => {
  it.each([
    [["react", "flutter", "webkit"], "webkit"],
    [["react", "flutter"], "flutter"],
    [["react"], "react"],
  ])("is the first of %j", (names, first) => {
    const { sent, bridge } = app(...names);
    bridge.loaded();
    expect(sent).toEqual([[first, "initial_load_complete"]]);
  });

  it("is absent in a browser", () => {
    const { bridge } = app();
    bridge.close();
    expect(bridge.isPresent).toBe(false);
  });

  it("is looked up for each message, because apps may add it late", () => {
    const host = {} as Window & { ReactNativeWebView?: { postMessage(text: string): void } };
    const bridge = new Bridge(host);
    const sent: string[] = [];
    bridge.loaded();
    host.ReactNativeWebView = { postMessage: (text) => void sent.push(text) };
    bridge.ask({ type: "rating" });
    expect(sent).toEqual(["request_rating"]);
  });

  it("sends a style only when it changes", () => {
    const { sent, bridge } = app("flutter");
    for (const style of ["themeStyle:light", "themeStyle:light", "themeStyle:default"]) {
      bridge.sendThemeStyle(style);
    }
    expect(sent.map(([, text]) => text)).toEqual(["themeStyle:light", "themeStyle:default"]);
  });

  it("closes once, behind the answers and the events that are left", () => {
    const { sent, bridge } = app("flutter");
    bridge.sendAnswers("flow_1", []);
    bridge.sendAnswers("flow_1", [{ answer: "Ada" }]);
    bridge.close([{ eventId: "e1" }]);
    bridge.close();
    expect(sent.map(([, text]) => text)).toEqual([
      'form_responses:{"flowId":"flow_1","responses":[{"answer":"Ada"}]}',
      'pending_events:[{"eventId":"e1"}]',
      "close_pressed",
    ]);
  });

  it("may fail without harm to the page", () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const receiver = {
      postMessage: () => {
        throw new Error("gone");
      },
    };
    new Bridge({ flutter_bridge: receiver } as unknown as Window).loaded();
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  it("requests known permissions by the names of the app's kind", () => {
    for (const [name, message] of [
      ["Notifications", "notification"],
      ["push", "notification"],
      ["camera", "camera"],
      ["photo_library", "photos"],
    ] as const) {
      const { sent, bridge } = app("flutter");
      bridge.ask({ type: "permission", permission: name });
      expect(sent[0]?.[1]).toBe(`request_permission:${message}`);
    }
    const native = app("react");
    native.bridge.ask({ type: "permission", permission: "notification" });
    native.bridge.ask({ type: "permission", permission: "unknown" });
    native.bridge.ask({ type: "permission", permission: "constructor" });
    expect(native.sent).toEqual([["react", "request_permission:notifications"]]);
  });
});

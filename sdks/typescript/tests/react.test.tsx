// @vitest-environment jsdom
/** React: a provider that never blocks, a dialog, an inline flow, and screens of the app in its own contexts. */

import { act, createContext, StrictMode, useContext, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Onboarding as Client } from "../src/index";
import {
  type NativeScreen,
  Onboarding,
  OnboardingProvider,
  type OnboardingResult,
  useFlow,
  useOnboarding,
} from "../src/react";
import { createFakeOnboarding, createFlow, createScreen } from "../src/testing";
import type { Flow, Screen } from "../src/types";

let root: Root;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("matchMedia", () => new EventTarget());
  HTMLDialogElement.prototype.showModal ??= () => {};
  Element.prototype.scrollTo ??= () => {};
  localStorage.clear();
  document.body.replaceChildren(document.createElement("main"));
  root = createRoot(document.querySelector("main") as HTMLElement);
});

afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

const FLOW = createFlow([
  createScreen("welcome", { title: "Hello" }, { id: "hello" }),
  { id: "sign_in", type: "native", content: { name: "sign_in" }, settings: {} } as unknown as Screen,
]);

/** Wait until a check passes, with React's work in between. */
async function until<Value>(check: () => Value): Promise<Value> {
  return await vi.waitFor(async () => {
    await act(async () => {
      await new Promise((done) => setTimeout(done, 5));
    });
    return check();
  });
}

/** Press the app's own button. A screen takes no presses in its first moments. */
function signIn(): void {
  act(() => document.querySelector<HTMLElement>("#sign-in")?.click());
}

/** Return the button of the shown flow. */
function button(): HTMLButtonElement {
  const hosts = [...document.querySelectorAll("div")].filter(({ shadowRoot }) => shadowRoot);
  const found = hosts.map(({ shadowRoot }) => shadowRoot?.querySelector("button"));
  expect(found[0]).toBeTruthy();
  return found[0] as HTMLButtonElement;
}

const types = (events: { eventType: string }[]) => events.map(({ eventType }) => eventType);

function App({ onShown }: { onShown: (result: OnboardingResult) => void }) {
  const { show, status, isPresented } = useOnboarding();
  useEffect(() => {
    if (status === "ready") {
      void show({ once: true, screens: { sign_in: SignIn } }).then(onShown);
    }
  }, [status, show, onShown]);
  return (
    <p>
      {status} {String(isPresented)}
    </p>
  );
}

const Theme = createContext("none");

function SignIn({ done }: NativeScreen) {
  return (
    <button type="button" id="sign-in" onClick={done}>
      {useContext(Theme)}
    </button>
  );
}

function shown(client: Client, onShown: (result: OnboardingResult) => void) {
  return (
    <StrictMode>
      <Theme.Provider value="dark">
        <OnboardingProvider client={client}>
          <App onShown={onShown} />
        </OnboardingProvider>
      </Theme.Provider>
    </StrictMode>
  );
}

it("renders the app at once, shows the flow once in Strict Mode, and draws a screen of the app in its context", async () => {
  const { onboarding, events } = createFakeOnboarding({ flow: FLOW });
  const results: OnboardingResult[] = [];
  await act(async () => root.render(shown(onboarding, (result) => results.push(result))));
  expect(document.querySelector("p")?.textContent).toMatch(/^(?:loading|ready)/);
  await until(() => expect(button().textContent).toBe("Continue"));
  expect(document.querySelector("p")?.textContent).toBe("ready true");
  await until(() => {
    act(() => button().click());
    expect(document.querySelector("#sign-in")?.textContent).toBe("dark");
  });
  await until(() => {
    signIn();
    expect(results[0]).toMatchObject({ outcome: "completed", flowId: "flow_1" });
  });
  await until(() => expect(document.querySelector("p")?.textContent).toBe("ready false"));
  expect(document.querySelector("dialog")).toBeNull();
  await onboarding.flush();
  expect(types(events).filter((type) => /^flow_/.test(type))).toEqual(["flow_started", "flow_completed"]);
});

it("has nothing to show without a flow, and does not reject", async () => {
  const { onboarding } = createFakeOnboarding({ flow: null });
  let outcome = "";
  const Probe = () => {
    const { show, status } = useOnboarding();
    useEffect(() => {
      void show().then((result) => {
        outcome = result.outcome;
      });
    }, [show]);
    return <p>{status}</p>;
  };
  await act(async () =>
    root.render(
      <OnboardingProvider client={onboarding}>
        <Probe />
      </OnboardingProvider>,
    ),
  );
  await until(() => expect([document.querySelector("p")?.textContent, outcome]).toEqual(["none", "none"]));
});

it("draws a flow inline, and goes on where it was when it comes back", async () => {
  const { onboarding, events } = createFakeOnboarding({ flow: FLOW });
  const ended: OnboardingResult[] = [];
  const inline = (
    <Onboarding client={onboarding} screens={{ sign_in: SignIn }} onEnd={(result) => ended.push(result)} />
  );
  await act(async () => root.render(<StrictMode>{inline}</StrictMode>));
  await until(() => {
    act(() => button().click());
    expect(document.querySelector("#sign-in")).toBeTruthy();
  });
  await act(async () => root.render(<p>elsewhere</p>));
  expect(document.querySelector("#sign-in")).toBeNull();
  await act(async () => root.render(inline));
  await until(() => expect(document.querySelector("#sign-in")).toBeTruthy());
  await until(() => {
    signIn();
    expect(ended).toMatchObject([{ outcome: "completed" }]);
  });
  await onboarding.flush();
  expect(types(events).filter((type) => /^flow_/.test(type))).toEqual(["flow_started", "flow_completed"]);
});

it("gives the state of a session to components that draw themselves", async () => {
  const { onboarding } = createFakeOnboarding();
  const session = onboarding.start(
    createFlow([createScreen("welcome", { title: "One" }), createScreen("feature")]) as Flow,
  );
  const Own = () => <p>{useFlow(session).screenId}</p>;
  await act(async () => root.render(<Own />));
  await act(async () => void session.forward());
  expect(document.querySelector("p")?.textContent).toBe("screen_feature");
});

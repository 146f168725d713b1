/** Flows in React apps: a dialog by `show`, or inline by `<Onboarding>`. Screens of the app keep the app's contexts. */

import {
  createContext,
  createElement,
  type FunctionComponent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import type { Onboarding as Client } from "../onboarding";
import { begin, type NativeScreen, type OnboardingResult, showOnboarding, type WebOptions, warm } from "../web";
import { type Status, useLatest, useShow, useStatus } from "./hooks";

export type { NativeScreen, OnboardingResult } from "../web";
export { type Status, useFlow } from "./hooks";

/** Draw screens of type `native`, by their names. */
export type Screens = Record<string, FunctionComponent<NativeScreen>>;
export type ReactOptions = Omit<WebOptions, "screens"> & { screens?: Screens | undefined };

interface Shared {
  client: Client;
  status: Status;
  isPresented: boolean;
  show(options?: ReactOptions): Promise<OnboardingResult>;
}

const Context = createContext<Shared | null>(null);

/** Give the client to all components below, which are rendered at once. `options` hold for each `show`. */
export function OnboardingProvider({
  client,
  children,
  ...options
}: ReactOptions & { client: Client; children?: ReactNode }) {
  const [portals, drawnBy] = usePortals();
  const standard = useLatest(options);
  const status = useStatus(client);
  const present = useCallback(
    (given: ReactOptions = {}) => {
      const { screens, ...others } = { ...standard.current, ...given };
      return showOnboarding(client, { ...others, screens: drawnBy(screens) });
    },
    [client, drawnBy, standard],
  );
  const { show, isPresented } = useShow(present);
  useEffect(() => {
    client.warm = warm;
  }, [client]);
  const shared = useMemo(() => ({ client, status, isPresented, show }), [client, status, isPresented, show]);
  return createElement(Context.Provider, { value: shared }, children, portals);
}

/** Return `show`, which shows the flow as a dialog and is never rejected, and what there is to show. */
export function useOnboarding(): Omit<Shared, "client"> {
  const { show, status, isPresented } = useShared();
  return { show, status, isPresented };
}

/** The flow for this device, in the place of this component, which needs a height. A visit goes on when it comes back. */
export function Onboarding({
  client: own,
  onEnd,
  className,
  ...options
}: ReactOptions & { client?: Client; onEnd?: (result: OnboardingResult) => void; className?: string }) {
  const shared = useContext(Context);
  const client = own ?? shared?.client;
  const place = useRef<HTMLDivElement>(null);
  const [portals, drawnBy] = usePortals();
  const latest = useLatest({ ...options, onEnd });
  useEffect(() => {
    const element = place.current;
    if (!client || !element) {
      return;
    }
    let isCurrent = true;
    const { screens, onEnd: _, ...others } = latest.current;
    const { result, detach } = begin(client, element, { ...others, screens: drawnBy(screens) });
    void result.then((ended) => isCurrent && latest.current.onEnd?.(ended));
    return () => {
      isCurrent = false;
      detach();
    };
  }, [client, drawnBy, latest]);
  return createElement("div", { ref: place, className, style: { height: "100%" } }, portals);
}

function useShared(): Shared {
  const shared = useContext(Context);
  if (!shared) {
    throw new Error("useOnboarding needs an OnboardingProvider around it.");
  }
  return shared;
}

interface Portal {
  element: HTMLElement;
  screen: NativeScreen;
  component: FunctionComponent<NativeScreen>;
}

/** Return portals into the screens that are shown, and a function that makes components of React drawable. */
function usePortals() {
  const [shown, setShown] = useState<Portal[]>([]);
  const drawnBy = useCallback((screens: Screens = {}): NonNullable<WebOptions["screens"]> => {
    const drawn = Object.entries(screens).map(([name, component]) => {
      const draw = (element: HTMLElement, screen: NativeScreen) => {
        const portal = { element, screen, component };
        setShown((others) => [...others, portal]);
        return () => setShown((all) => all.filter((other) => other !== portal));
      };
      return [name, draw] as const;
    });
    return Object.fromEntries(drawn);
  }, []);
  const portals = shown.map(({ element, screen, component }) =>
    createPortal(createElement(component, screen), element, screen.screenId),
  );
  return [portals, drawnBy] as const;
}

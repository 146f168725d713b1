/** Flows in React Native apps: the hosted page in a web view over the app by `show`, or inline by `<Onboarding>`. */

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { AppState, Linking, View } from "react-native";
import type { Onboarding as Client } from "../onboarding";
import { type Status, useLatest, useShow, useStatus } from "../react/hooks";
import type { OnboardingResult } from "../web/options";
import { Shown } from "./view";
import { type Drawn, type NativeOptions, showFlow, showLink } from "./visit";

export { type Status, useFlow } from "../react/hooks";
export type { NativeScreen, OnboardingResult } from "../web/options";
export type { PageEvent, PageHooks, StoreProduct } from "./types";
export type { NativeOptions, Screens } from "./visit";

interface Shared {
  client: Client;
  status: Status;
  isPresented: boolean;
  show(options?: NativeOptions): Promise<OnboardingResult>;
}

const Context = createContext<Shared | null>(null);
const FILL = { flex: 1 };

/**
 * Give the client to all components below, which are rendered at once. Flows lie over them, so put it around the whole app.
 * It takes preview links that open the app, and sends events when the app goes to the background.
 */
export function OnboardingProvider({
  client,
  children,
  ...options
}: NativeOptions & { client: Client; children?: ReactNode }) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [preview, setPreview] = useState<Drawn | null>(null);
  const closeFlow = useRef(() => {});
  const [shownWith, setShownWith] = useState<NativeOptions>({});
  const status = useStatus(client);
  const merged = withDefaults({ ...options, ...shownWith });
  const latest = useLatest(merged);
  const present = useCallback(
    (given: NativeOptions = {}) => {
      setShownWith(given);
      latest.current = withDefaults({ ...latest.current, ...given });
      const { result, close } = showFlow(client, latest.current, () => latest.current, setDrawn);
      closeFlow.current = close;
      return result;
    },
    [client, latest],
  );
  const { show, isPresented } = useShow(present);
  useEffect(() => {
    let closeLink = () => {};
    const showWaitingLink = () => {
      const { link } = client;
      if (link) {
        client.link = null;
        closeLink();
        closeLink = showLink(client, link, () => latest.current, setPreview);
      }
    };
    const follow = client.subscribe((change) => change === "link" && showWaitingLink());
    const links = Linking.addEventListener("url", ({ url }) => void client.handleLink(url));
    const states = AppState.addEventListener("change", (state) => state !== "active" && void client.flush());
    showWaitingLink();
    Linking.getInitialURL().then(
      (url) => url && client.handleLink(url),
      () => undefined,
    );
    // The address of pages is known before the first flow is shown.
    void client.page("");
    client.warm = (resolution) => client.keepPage(resolution);
    return () => {
      follow();
      links.remove();
      states.remove();
      closeLink();
      closeFlow.current();
    };
  }, [client, latest]);
  const shared = useMemo(() => ({ client, status, isPresented, show }), [client, status, isPresented, show]);
  return (
    <Context.Provider value={shared}>
      {children}
      {drawn && <Shown drawn={drawn} options={merged} isOver />}
      {preview && <Shown drawn={preview} options={merged} isOver />}
    </Context.Provider>
  );
}

/** Return `show`, which shows the flow over the app and is never rejected, and what there is to show. */
export function useOnboarding(): Omit<Shared, "client"> {
  const shared = useContext(Context);
  if (!shared) {
    throw new Error("useOnboarding needs an OnboardingProvider.");
  }
  return shared;
}

/** The flow for this device, in the place of this component, which needs a height. */
export function Onboarding({
  client: own,
  onEnd,
  ...options
}: NativeOptions & { client?: Client; onEnd?: (result: OnboardingResult) => void }) {
  const shared = useContext(Context);
  const client = own ?? shared?.client;
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const merged = withDefaults(options);
  const latest = useLatest(merged);
  const ended = useLatest(onEnd);
  useEffect(() => {
    if (!client) {
      return;
    }
    let isCurrent = true;
    const draw = (next: Drawn | null) => isCurrent && setDrawn(next);
    const { result, close } = showFlow(client, latest.current, () => latest.current, draw);
    void result.then((value) => isCurrent && ended.current?.(value));
    return () => {
      isCurrent = false;
      close();
      setDrawn(null);
    };
  }, [client, latest, ended]);
  return <View style={FILL}>{drawn && <Shown drawn={drawn} options={merged} isOver={false} />}</View>;
}

/** Links leave the app by the system, unless the app opens them. */
function withDefaults(options: NativeOptions): NativeOptions {
  return { ...options, onOpenUrl: options.onOpenUrl ?? ((url) => Linking.openURL(url)) };
}

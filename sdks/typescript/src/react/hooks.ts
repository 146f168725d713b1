/** What the components for browsers and for React Native share. */

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Onboarding } from "../onboarding";
import type { FlowSession, FlowState } from "../session";

/** Whether there is a flow for this device. */
export type Status = "loading" | "ready" | "none";

/** Resolve at once, and return whether there is a flow. */
export function useStatus(client: Onboarding): Status {
  const [status, setStatus] = useState<Status>("loading");
  useEffect(() => {
    let isCurrent = true;
    const follow = () => isCurrent && setStatus(client.resolution?.status === "none" ? "none" : "ready");
    const end = client.subscribe((change) => change === "resolution" && follow());
    void client.resolve();
    return () => {
      isCurrent = false;
      end();
    };
  }, [client]);
  return status;
}

/** Return `show`, which shows one flow at a time: a second call gets the result of the first one. */
export function useShow<Options, Result>(present: (given: Options | undefined) => Promise<Result>) {
  const [presented, setPresented] = useState(0);
  const showing = useRef<Promise<Result> | null>(null);
  const show = useCallback(
    (given?: Options) => {
      setPresented((count) => count + 1);
      showing.current ??= present(given).then((result) => {
        showing.current = null;
        return result;
      });
      return showing.current.then((result) => {
        setPresented((count) => count - 1);
        return result;
      });
    },
    [present],
  );
  return { show, isPresented: presented > 0 };
}

export function useLatest<Value>(value: Value) {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Return the state of a session that the app draws with components of its own. */
export function useFlow(session: FlowSession): FlowState {
  const subscribe = useCallback((changed: () => void) => session.subscribe(changed), [session]);
  const state = () => session.state;
  return useSyncExternalStore(subscribe, state, state);
}

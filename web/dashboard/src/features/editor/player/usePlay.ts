import { readDocument } from "@onboarding/flow/document";
import { type Json, list } from "@onboarding/flow/json";
import type { FlowSession, SessionState } from "@onboarding/flow/session";
import { valuesOf } from "@onboarding/flow/values";
import { useCallback, useMemo, useState } from "react";
import { type PreviewedFlow, pageDocument } from "@/features/preview/pageDocument";
import { contextOfDevice, type PlayedFlow, sessionOf, type TypedDevice } from "./play";

/** The walk through the flow that is edited, which the phone and the player share. */
export interface Play {
  flow: PlayedFlow;
  device: TypedDevice;
  setDevice: (device: TypedDevice) => void;
  context: Json;
  session: FlowSession;
  /** The last state that the page or the player has set. The present one follows from it and from the screen. */
  stored: Json;
  /** The values of answers, variables and the device by their names. */
  values: Json;
  isOver: boolean;
  /** Whether the page is of a release that does not tell its answers. */
  isOldPage: boolean;
  /** Take over the state of the page, or null of a page that has told its screen alone. */
  take: (state: Json | null) => void;
  restart: () => void;
  /** Go to a state, and to its screen. */
  go: (state: Json | SessionState) => void;
}

/** Return the walk through a flow; it is at the screen that is selected in the editor. */
export function usePlay(previewed: PreviewedFlow, screenId: string, onScreen: (screenId: string) => void): Play {
  const { projectId, projectName, flowId, document, theme } = previewed;
  const [device, setDevice] = useState<TypedDevice>({});
  const [stored, setStored] = useState<Json>({});
  const [isOldPage, setOldPage] = useState(false);
  const flow = useMemo(
    () => readDocument(pageDocument({ projectId, projectName, flowId, document, theme }), true),
    [projectId, projectName, flowId, document, theme],
  );
  const context = useMemo(() => contextOfDevice(device), [device]);
  const session = useMemo(() => {
    const present = sessionOf(flow, context, stored);
    present.open(screenId, true);
    return present;
  }, [flow, context, stored, screenId]);
  const values = useMemo(() => valuesOf(flow, session.state, context), [flow, session, context]);
  const take = useCallback((state: Json | null) => {
    setOldPage(state === null);
    if (state !== null) {
      setStored(state);
    }
  }, []);
  const go = useCallback(
    (state: Json | SessionState) => {
      setStored({ ...state });
      const at = state.screenId ?? list(state.path).at(-1);
      if (typeof at === "string") {
        onScreen(at);
      }
    },
    [onScreen],
  );
  const restart = () => go(sessionOf(flow, context, {}).state);
  const isOver = stored.isOver === true && stored.screenId === session.state.screenId;
  return { flow, device, setDevice, context, session, stored, values, isOver, isOldPage, take, restart, go };
}

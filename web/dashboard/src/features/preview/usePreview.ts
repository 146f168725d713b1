import { type Json, object, text } from "@onboarding/flow/json";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useDashboard } from "@/api/dashboard";
import { fileAt, mediaIdsIn } from "@/features/media/references";
import { useMediaFiles } from "@/features/media/useMediaFiles";
import { type PreviewedFlow, pageDocument, withoutTranslations } from "./pageDocument";

export interface PreviewOptions {
  /** The screen to show; the page keeps its own for an unknown one. */
  screenId: string;
  dark: boolean;
  dir: "ltr" | "rtl";
  /** The device as conditions know it, and the state of the walk: path and answers. */
  walk?: { context: Json; stored: Json | undefined } | undefined;
}

const NO_WALK: NonNullable<PreviewOptions["walk"]> = { context: {}, stored: undefined };

/** Return the address of the preview page, which the edge serves. */
export function usePreviewUrl(): string {
  const { edge_url } = useDashboard().config;
  return `${(edge_url ?? window.location.origin).replace(/\/$/, "")}/onboarding/preview`;
}

/** What the user does in the preview. */
export interface PreviewEvents {
  /** The page went to another screen. */
  onScreen: (screenId: string) => void;
  /** What the user gave there; null from a page of an older release, which does not tell it. */
  onState?: (state: Json | null) => void;
  /** A text of the page, or the address of a picture, was clicked. */
  onText?: (text: string) => void;
}

/** Show a flow in a frame with the preview page. Return whether the page has loaded. */
export function usePreview(
  frame: RefObject<HTMLIFrameElement | null>,
  flow: PreviewedFlow,
  { screenId, dark, dir, walk: { context, stored } = NO_WALK }: PreviewOptions,
  { onScreen, onState, onText }: PreviewEvents,
): boolean {
  const origin = new URL(usePreviewUrl()).origin;
  // The number of ready messages. The page sends one after each load.
  const [loads, setLoads] = useState(0);
  /** The window that is ready. A frame that is moved in its list, or loaded again, gets another one. */
  const ready = useRef<MessageEventSource | null>(null);
  const { projectId, projectName, flowId, document, theme, locale } = flow;
  const { screens } = document;
  const files = useMediaFiles(useMemo(() => mediaIdsIn([screens.map(withoutTranslations), theme]), [screens, theme]));
  const message = useMemo(
    () => ({
      type: "onboarding:preview",
      document: pageDocument({ projectId, projectName, flowId, document, theme }, files),
      dark,
      dir,
      locale: locale ?? (text(context.locale) || (dir === "rtl" ? "ar" : "en")),
      context,
      loads,
    }),
    [projectId, projectName, flowId, document, theme, files, dark, dir, locale, context, loads],
  );
  /** What the page shows: the last message, and its screen and state, to which it may have moved by itself. */
  const shown = useRef<{ message: object | null; screenId: string; state: Json | undefined }>({
    message: null,
    screenId: "",
    state: stored,
  });

  useEffect(() => {
    const receive = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) {
        return;
      }
      const { type, screenId, state, text: clicked } = object(event.data);
      if (type === "onboarding:preview-ready") {
        ready.current = event.source;
        setLoads((count) => count + 1);
      } else if (type === "onboarding:preview-screen" && typeof screenId === "string") {
        shown.current.screenId = screenId;
        if (typeof state === "object" && state !== null) {
          shown.current.state = object(state);
          onState?.(object(state));
        } else {
          onState?.(null);
        }
        onScreen(screenId);
      } else if (type === "onboarding:preview-text" && typeof clicked === "string") {
        onText?.(fileAt(clicked, files)?.id ?? clicked);
      }
    };
    window.addEventListener("message", receive);
    return () => window.removeEventListener("message", receive);
  }, [frame, origin, files, onScreen, onState, onText]);

  useEffect(() => {
    const { current } = shown;
    const isState = stored === undefined || current.state === stored;
    const isShown = current.message === message && current.screenId === screenId && isState;
    const page = frame.current?.contentWindow;
    if (page && page === ready.current && !isShown) {
      shown.current = { message, screenId, state: stored };
      page.postMessage({ ...message, screenId, state: stored }, origin);
    }
  }, [frame, origin, message, screenId, stored]);
  return loads > 0;
}

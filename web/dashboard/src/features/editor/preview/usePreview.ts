import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useDashboard } from "@/api/dashboard";
import { type PreviewedFlow, pageDocument } from "./pageDocument";

export interface PreviewOptions {
  /** The screen to show; the page keeps its own for an unknown one. */
  screenId: string;
  dark: boolean;
  dir: "ltr" | "rtl";
}

/** Return the address of the preview page, which the edge serves. */
export function usePreviewUrl(): string {
  const { edge_url } = useDashboard().config;
  return `${(edge_url ?? window.location.origin).replace(/\/$/, "")}/onboarding/preview`;
}

/** What the user does in the preview. */
export interface PreviewEvents {
  /** The page went to another screen. */
  onScreen: (screenId: string) => void;
  /** A text of the page, or the address of a picture, was clicked. */
  onText?: (text: string) => void;
}

/** Show a flow in a frame with the preview page. Return whether the page has loaded. */
export function usePreview(
  frame: RefObject<HTMLIFrameElement | null>,
  flow: PreviewedFlow,
  { screenId, dark, dir }: PreviewOptions,
  { onScreen, onText }: PreviewEvents,
): boolean {
  const origin = new URL(usePreviewUrl()).origin;
  // The number of ready messages. The page sends one after each load.
  const [loads, setLoads] = useState(0);
  const { projectId, projectName, flowId, document, theme } = flow;
  const message = useMemo(
    () => ({
      type: "onboarding:preview",
      document: pageDocument({ projectId, projectName, flowId, document, theme }),
      dark,
      dir,
      locale: dir === "rtl" ? "ar" : "en",
      loads,
    }),
    [projectId, projectName, flowId, document, theme, dark, dir, loads],
  );
  /** What the page shows: the last message, and its screen, to which it may have moved by itself. */
  const shown = useRef<{ message: object | null; screenId: string }>({ message: null, screenId: "" });

  useEffect(() => {
    const receive = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) {
        return;
      }
      const { type, screenId, text } = (event.data ?? {}) as Record<string, unknown>;
      if (type === "onboarding:preview-ready") {
        setLoads((count) => count + 1);
      } else if (type === "onboarding:preview-screen" && typeof screenId === "string") {
        shown.current.screenId = screenId;
        onScreen(screenId);
      } else if (type === "onboarding:preview-text" && typeof text === "string") {
        onText?.(text);
      }
    };
    window.addEventListener("message", receive);
    return () => window.removeEventListener("message", receive);
  }, [frame, origin, onScreen, onText]);

  useEffect(() => {
    const isShown = shown.current.message === message && shown.current.screenId === screenId;
    if (message.loads > 0 && !isShown) {
      shown.current = { message, screenId };
      frame.current?.contentWindow?.postMessage({ ...message, screenId }, origin);
    }
  }, [frame, origin, message, screenId]);
  return loads > 0;
}

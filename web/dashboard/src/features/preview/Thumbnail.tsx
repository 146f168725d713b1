import { useIntersection } from "@mantine/hooks";
import { directionOf } from "@onboarding/flow/languages";
import { useEffect, useMemo, useRef, useState } from "react";
import type { DocumentScreenView, DocumentView } from "@/api/schema";
import type { PreviewedFlow } from "./pageDocument";
import classes from "./Thumbnail.module.css";
import { usePreview, usePreviewUrl } from "./usePreview";

const WIDTH = 390;
const HEIGHT = 720;
/** A list that is scrolled fast loads the pictures at its end only. */
const CALM_MILLISECONDS = 300;

interface ThumbnailProps {
  flow: Omit<PreviewedFlow, "document">;
  /** The values of the flow, for texts that name them. */
  variables?: DocumentView["variables"];
  screen: DocumentScreenView;
  width: number;
  dark?: boolean;
}

/** A picture of a screen: the real page in a frame that takes no input. It loads when it comes into sight. */
export function Thumbnail({ flow, variables, screen, width, dark = false }: ThumbnailProps) {
  const { ref, entry } = useIntersection();
  const isInSight = entry?.isIntersecting === true;
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const timer = isInSight ? setTimeout(() => setSeen(true), CALM_MILLISECONDS) : undefined;
    return () => clearTimeout(timer);
  }, [isInSight]);
  const scale = width / WIDTH;
  return (
    <div ref={ref} className={classes.thumbnail} style={{ width, height: HEIGHT * scale }} inert aria-hidden>
      {isSeen && <Page flow={flow} variables={variables} screen={screen} scale={scale} dark={dark} />}
    </div>
  );
}

const NO_EVENTS = { onScreen: () => undefined };

function Page({ flow, variables, screen, scale, dark = false }: Omit<ThumbnailProps, "width"> & { scale: number }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { projectId, projectName, flowId, theme, locale } = flow;
  // The screen alone, so that a change of another one does not reach this page.
  const shown = useMemo(() => {
    const { show_if: _, next: __, ...alone } = screen;
    return {
      projectId,
      projectName,
      flowId,
      theme,
      locale,
      document: { name: "", screens: [alone], ...(variables && { variables }) },
    };
  }, [projectId, projectName, flowId, theme, locale, variables, screen]);
  usePreview(frame, shown, { screenId: screen.id, dark, dir: directionOf(locale ?? "en") }, NO_EVENTS);
  return (
    <iframe
      ref={frame}
      title={screen.name ?? screen.type}
      src={usePreviewUrl()}
      sandbox="allow-scripts allow-same-origin"
      tabIndex={-1}
      className={classes.page}
      style={{ width: WIDTH, height: HEIGHT, transform: `scale(${scale})` }}
    />
  );
}

/** Shows a flow by its hosted page; while the page cannot be reached, by the stored page or by components of the app. */

import type { FunctionComponent } from "react";
import type { Onboarding as Client, StoredPage } from "../onboarding";
import type { FlowSession } from "../session";
import type { Screen } from "../types";
import {
  askApp,
  failed,
  type Hooks,
  type NativeScreen,
  type OnboardingResult,
  resultOf,
  type Shown,
  type ShowOptions,
  shownFlow,
} from "../web/options";
import { endOf, NOT_REACHED, PageHost } from "./host";
import type { PageEnd, PageHooks } from "./types";

/** Draw screens of type `native`, by their names. */
export type Screens = Record<string, FunctionComponent<NativeScreen>>;

export interface NativeOptions extends PageHooks, Omit<ShowOptions, keyof Hooks> {
  screens?: Screens | undefined;
  /** Draws the flow by its session while its page cannot be reached and none is stored. Without it the result is `none`. */
  offline?: FunctionComponent<{ session: FlowSession }> | undefined;
}

/** What is drawn: a page, or a session. */
export type Drawn = { host: PageHost } | { session: FlowSession };
type Page = Pick<StoredPage, "url"> & Partial<StoredPage>;
type Draw = (drawn: Drawn | null) => void;
type Latest = () => NativeOptions;

/**
 * Show the flow for this device. `latest` returns the functions of the app as they are now. `result` is never rejected;
 * `close` takes the flow away without an outcome.
 */
export function showFlow(client: Client, given: NativeOptions, latest: Latest, draw: Draw) {
  let isClosed = false;
  let shownHost: PageHost | null = null;
  let settle: (result: OnboardingResult) => void = () => {};
  const closed = new Promise<OnboardingResult>((done) => {
    settle = done;
  });
  const drawOpen: Draw = (drawn) => {
    shownHost = drawn && "host" in drawn ? drawn.host : null;
    if (!isClosed) {
      draw(drawn);
    }
  };
  const run = async (): Promise<OnboardingResult> => {
    try {
      // Both requests share the time of one.
      const [shown, isReachable] = await Promise.all([shownFlow(client, given), client.page("")]);
      if ("outcome" in shown || isClosed) {
        return "outcome" in shown ? shown : resultOf("skipped", shown);
      }
      const { flowId } = shown;
      const url = isReachable ? await client.page(flowId, given) : null;
      let end = url ? await drawPage(client, { url }, shown, latest, drawOpen) : endOf("none", NOT_REACHED);
      const stored = end.outcome === "none" && !isClosed ? await client.storedPage(flowId, given) : null;
      if (stored) {
        end = await drawPage(client, stored, shown, latest, drawOpen);
      }
      if (end.outcome === "none" && latest().offline && !isClosed) {
        end = await drawSession(client, shown, latest, drawOpen);
      } else if ((end.outcome === "completed" || end.outcome === "skipped") && !isClosed) {
        client.finish(shown.flowId, end.outcome);
      }
      return { ...resultOf(end.outcome, shown), ...end };
    } catch (error) {
      return failed(error, client.resolution);
    } finally {
      drawOpen(null);
    }
  };
  return {
    result: Promise.race([run(), closed]),
    close: () => {
      isClosed = true;
      shownHost?.close();
      settle(resultOf("skipped", client.resolution));
    },
  };
}

/** Show a preview link, which records nothing and has no result. Return a function that takes it away. */
export function showLink(client: Client, link: string, latest: Latest, draw: Draw): () => void {
  const url = `${link}${link.includes("?") ? "&" : "?"}bridge=2`;
  const host = hostOf(client, { url }, latest, []);
  draw({ host });
  void host.result.then(() => draw(null));
  return () => host.close();
}

async function drawPage(client: Client, page: Page, { flow }: Shown, latest: Latest, draw: Draw) {
  const host = hostOf(client, page, latest, flow.screens);
  const unfollow = client.subscribe((change) => {
    if (change === "attributes") {
      host.setAttributes({ ...client.device().attributes });
    }
  });
  draw({ host });
  const end = await host.result;
  unfollow();
  return end;
}

/** Draw a flow by the app's components. This session reports the visit, because no page does. */
async function drawSession(client: Client, shown: Shown, latest: Latest, draw: Draw): Promise<PageEnd> {
  const session: FlowSession = client.start(
    shown,
    (request) => askApp(latest(), request, session.state.screen),
    undefined,
    (name) => has(latest().screens, name),
  );
  draw({ session });
  const { outcome, answers, variables } = await session.result;
  return { outcome, answers, variables };
}

function hostOf(client: Client, page: Page, latest: Latest, screens: readonly Screen[]): PageHost {
  return new PageHost({
    page,
    hooks: latest,
    pending: (events) => client.forward(events),
    draws: (name) => has(latest().screens, name),
    screen: (id) => screens.find((screen) => screen.id === id) ?? { id, type: "", content: {}, settings: {} },
    after: (milliseconds, run) => {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    warn: (message, detail) => client.options.logger?.warn(`doorstep: ${message}`, detail),
  });
}

function has(screens: Screens | undefined, name: string): boolean {
  return Object.getOwnPropertyDescriptor(screens ?? {}, name)?.value !== undefined;
}

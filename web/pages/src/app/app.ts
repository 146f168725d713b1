/**
 * The part of the script for flows in which the app takes part, and for pages that an SDK of ours opens: native screens,
 * steps that the app lets pass, and bridge 2.
 */

import { type AppHost, AppSession } from "@onboarding/flow/appSession";
import type { FlowDocument } from "@onboarding/flow/document";
import { type Json, list, object, text } from "@onboarding/flow/json";
import type { Logic } from "@onboarding/flow/logic";
import type { Host, Request } from "@onboarding/flow/session";
import { Bridge } from "../bridge";
import type { Player } from "../player";
import type { ScreenContext } from "../screens/screen";
import { afterVisible, pause } from "../visibleTime";
import { native } from "./native";
import { showNotices } from "./notices";
import { TalkingBridge } from "./talk";

const PRODUCTS_MS = 3_000;

/** The app around a page. */
export class App {
  readonly bridge: Bridge;
  private readonly talk: TalkingBridge | null;
  /** The names of native screens that the app has said it cannot draw. */
  private readonly unknown = new Set<string>();
  private session: AppSession | null = null;
  private outcome = "skipped";
  private root: HTMLElement | null = null;
  /** The screen that the app knows of. */
  private told: string | null = null;
  private back: () => void = () => {};
  /** End the conversation about the present native screen. */
  private leave: () => void = () => {};

  /** `talks` is whether the app speaks bridge 2. */
  constructor(
    private readonly flow: FlowDocument,
    talks: boolean,
    host: Window = window,
  ) {
    const plain = new Bridge(host);
    this.talk = talks && plain.isPresent ? new TalkingBridge(host) : null;
    this.bridge = this.talk ?? plain;
  }

  /** Return the session of a visit. */
  open(host: Host, logic: Logic, stored: Json): AppSession {
    const { talk, flow } = this;
    const isTrial = flow.isPreview && !talk;
    const around: AppHost = {
      ...{ context: host.context, logic, after: afterVisible, hasOutcomes: talk !== null },
      record: (eventType, members) => {
        this.outcome = eventType === "flow_completed" ? "completed" : this.outcome;
        host.record(eventType, members);
      },
      ask: (request) => (talk || isText(request) ? host.ask(request) : null),
      draws: (name) => isTrial || (talk !== null && !this.unknown.has(name)),
    };
    const session = new AppSession(flow, around, stored);
    this.session = session;
    if (talk) {
      talk.end = () => ({ outcome: this.outcome, answers: session.answers, variables: session.variables });
    }
    return session;
  }

  /** Return the view of a native screen. */
  view(context: ScreenContext) {
    const { talk, flow } = this;
    const isDrawn = talk !== null && !this.unknown.has(text(context.screen.content.name));
    return native(context, isDrawn, flow.isPreview && !talk);
  }

  /** Follow the session on the page. `back` goes to the screen before, as the button of the page does. */
  follow(root: HTMLElement, player: Player, back: () => void): void {
    const { session, talk } = this;
    if (!session) {
      return;
    }
    this.root = root;
    this.back = back;
    const retry = () => {
      this.unknown.clear();
      session.stay(null);
      this.arrive();
      session.reconsider();
    };
    showNotices(root, session, player, retry);
    session.subscribe((state, before) => {
      if (state.screenId !== before.screenId && state.isStarted) {
        this.arrive();
      }
      if (state.isOver) {
        this.leave();
      }
    });
    if (talk) {
      talk.orders = {
        back,
        pause: (isPaused) => {
          pause(isPaused);
          for (const video of root.querySelectorAll("video")) {
            isPaused ? video.pause() : video.play().catch(() => undefined);
          }
        },
        attributes: (given) =>
          session.set(
            "",
            Object.fromEntries(Object.entries(given).map(([name, value]) => [`attributes.${name}`, value])),
          ),
      };
    }
  }

  /** Tell the app that the page talks. The texts of published SDKs come first. */
  ready(): void {
    this.talk?.tell("ready");
  }

  /** Tell the app of the first screen of this page, which may be a later one of the visit. */
  begin(): void {
    if (this.session?.state.screenId !== this.told) {
      this.arrive();
    }
  }

  /** Tell the app of the present screen, and ask for its part of it. */
  private arrive(): void {
    const { session, talk } = this;
    const screen = session?.screen;
    this.leave();
    this.leave = () => {};
    if (!session || !screen || !talk) {
      return;
    }
    const { id, type, content } = screen;
    const { answers } = session;
    this.told = id;
    talk.tell("screen", { screenId: id, step: session.state.path.length, answers });
    if (type === "paywall") {
      void this.showPrices(talk, id);
    }
    if (type === "native") {
      const name = text(content.name);
      const asked = { screenId: id, name, data: object(content.data), answers };
      const leave = talk.converse("native", asked, (reply) => {
        if (!reply) {
          this.unknown.add(name);
          session.reconsider();
        } else if (reply.done) {
          session.done({ ...object(reply.done), ...object(reply.set) });
        } else if (reply.back) {
          this.back();
        } else {
          session.stay(text(reply.fail));
        }
      });
      // An answer at once has left the screen already.
      if (session.state.screenId === id) {
        this.leave = leave;
      } else {
        leave();
      }
    }
  }

  /** Show the prices of the store in the rows of a paywall, which show their own texts until then. */
  private async showPrices(talk: TalkingBridge, screenId: string): Promise<void> {
    const rows = [...(this.root?.querySelectorAll<HTMLInputElement>(".cards input") ?? [])];
    const late = new Promise<Json>((_, reject) => window.setTimeout(reject, PRODUCTS_MS));
    try {
      const reply = await Promise.race([
        talk.request("products", { productIds: rows.map(({ value }) => value) }),
        late,
      ]);
      const { showPrices } = await import("../screens/paywall");
      if (this.session?.state.screenId === screenId) {
        showPrices(rows, this.session.screen?.content ?? {}, list(reply.products).map(object));
      }
    } catch {
      // The rows keep their own texts.
    }
  }
}

/** Return whether apps without bridge 2 know a request. */
function isText({ type }: Request): boolean {
  return type !== "step" && type !== "action";
}

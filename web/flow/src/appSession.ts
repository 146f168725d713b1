/**
 * A visit in which the app takes part: its outcomes and hooks, its own screens, and steps that only it can let pass. Pages
 * load it for flows that need it, SDKs always have it.
 */

import type { Given, Problem } from "./answers";
import type { Button } from "./content";
import { ACTIONS } from "./contents";
import { type FlowDocument, placeOf, type Screen } from "./document";
import { type Json, list, number, object, text } from "./json";
import type { Logic, Step } from "./logic";
import { FlowSession, type Host, type Request } from "./session";
import type { Way } from "./values";

const STANDARD_STEP_SECONDS = 3;
const MAX_STEP_SECONDS = 15;
/** The time of dialogs, in which people read and type. */
const DIALOG_SECONDS = 60;
const MAX_NOTICE = 500;
const MAX_TEXT = 1_000;
const MAX_SET = 50;
const BUILT_IN = new Set<string>([...ACTIONS, "restore_purchases"]);
/** Screens that only a press or the app completes. */
const PRESSED = new Set(["native", "paywall", "permissions", "signup"]);
/** The results of a sign-up, of a sign-in and of a restore that have succeeded. */
const SUCCESSES = new Set(["ok", "done", "signed_in", "signed_up", "restored", "purchased"]);

export interface AppHost extends Host {
  readonly logic: Logic;
  /** Whether the answers of the app have outcomes. Without them a purchase is what the user has chosen. */
  readonly hasOutcomes: boolean;
  /** Return whether the app draws the native screen of a name. */
  draws(name: string): boolean;
  /** Call back after a time in which the user can see the flow. Return a function that ends the wait. */
  after(milliseconds: number, callback: () => void): () => void;
}

/**
 * How a request ended: `next`, `stay`, `end`, or the id of a screen. `choice` is the answer of its screen, `notice` why the
 * screen stays: null where the app has said it by itself.
 */
interface Verdict {
  go: string;
  notice?: string | null;
  choice?: string;
}

export class AppSession extends FlowSession {
  declare protected readonly host: AppHost;
  /** The number of requests, because the end of an older one may come late. */
  private attempt = 0;

  constructor(flow: FlowDocument, host: AppHost, stored: Json = {}) {
    super(flow, host, stored);
    if (!this.isTrial) {
      this.returnToRequired();
    }
  }

  override start(): void {
    super.start();
    this.reconsider();
  }

  override press(button: Button, given?: Given): Problem | null {
    const { screen, state } = this;
    if (screen && button.action === "sign_in" && isRequired(screen) && !state.isBusy && !state.isOver) {
      const signIn: Request = { type: "signup", method: "sign_in", fields: {} };
      this.run([signIn], () => this.finish("flow_skipped", screen.id));
      return null;
    }
    return super.press(button, given);
  }

  override skip(): void {
    const { screen } = this;
    if (screen && isRequired(screen)) {
      this.stay("");
    } else {
      super.skip();
    }
  }

  /** Complete the present native screen, with answers or with values by their full names. */
  done(values: Json = {}): void {
    const { screen, state } = this;
    if (screen?.type === "native" && !state.isBusy && !state.isOver) {
      this.set(screen.id, values);
      this.run(this.stepsOf(screen));
    }
  }

  /** Keep the present screen, and say why. */
  stay(notice: string | null): void {
    if (!this.state.isOver) {
      this.change({ isBusy: false, notice: notice?.slice(0, MAX_NOTICE) ?? null });
    }
  }

  /**
   * Pass over the present screen if the app does not draw it after all, or say that it needs the app. After Back the screen
   * before it is shown.
   */
  reconsider(): void {
    const { path, ahead, screenId, isOver } = this.state;
    if (isOver || !this.isPassedOver(screenId)) {
      if (this.screen && this.isStopped(this.screen)) {
        this.stay("");
      }
      return;
    }
    if (ahead.length > 0 && path.length > 1) {
      this.back();
    } else {
      this.goTo(this.stepOf(this.state).screenId, path.slice(0, -1));
    }
  }

  /** Keep values of the app as those of a screen, or of the whole visit with "". They have names of answers and attributes. */
  set(screenId: string, values: Json): void {
    const named = Object.entries(values)
      .map(([name, value]) => [/^(answers|attributes)\./.test(name) ? name : `answers.${name}`, value] as const)
      .filter(([, value]) => isPlain(value))
      .slice(0, MAX_SET);
    if (named.length > 0) {
      const before = this.state.set?.[screenId];
      this.keep({ set: { ...this.state.set, [screenId]: { ...before, ...Object.fromEntries(named) } } });
    }
  }

  /** Return the answers of the way, by their keys. */
  get answers(): Json {
    return this.valuesOf("answers.");
  }

  get variables(): Json {
    return this.valuesOf("variables.");
  }

  /** Pass over native screens that the app does not draw, as if they were not in the flow. Their rules count. */
  protected override stepOf(way: Way): Step {
    let step = super.stepOf(way);
    let { path } = way;
    while (this.isPassedOver(step.screenId)) {
      path = [...path, step.screenId ?? ""];
      step = super.stepOf({ ...way, path });
    }
    return step;
  }

  protected override leave(requests: readonly Request[], button: Button | null): void {
    const { screen } = this;
    if (!screen) {
      return;
    }
    if (this.isStopped(screen)) {
      this.stay("");
      return;
    }
    // The end of a time is no press.
    if (!button && isRequired(screen) && PRESSED.has(screen.type)) {
      return;
    }
    const { action = "next", data = {} } = button ?? {};
    const asked: Request[] = BUILT_IN.has(action) ? [] : [{ type: "action", name: action, data }];
    this.run([...requests, ...asked, ...this.stepsOf(screen, requests)]);
  }

  /** Ask one request after the other, and go on. Without an app all of it is done at once. */
  private run([request, ...others]: readonly Request[], goOn = () => this.complete()): void {
    const { screen } = this;
    if (!request || !screen) {
      goOn();
      return;
    }
    const { turn } = this;
    const attempt = ++this.attempt;
    const settle = (reply: Json | null) => {
      const { go, notice = "", choice } = this.judge(screen, request, reply);
      if (choice && this.state.path.includes(screen.id)) {
        this.choose(screen.id, choice);
      }
      if (turn !== this.turn || attempt !== this.attempt || this.state.isOver) {
        return;
      }
      this.set(screen.id, object(reply?.set));
      if (go === "stay") {
        this.stay(notice);
      } else if (go === "next") {
        this.run(others, goOn);
      } else {
        this.jump(go);
      }
    };
    const asked = this.ask(request.type === "step" ? this.stepRequest(screen) : request);
    if (!asked) {
      settle(null);
      return;
    }
    this.change({ isBusy: true, notice: null });
    const stop = this.host.after(1000 * secondsOf(screen, request), () => settle(null));
    const end = (reply: Json | null) => {
      stop();
      settle(reply);
    };
    asked.then(
      (reply) => end(typeof reply === "string" ? { result: reply } : object(reply)),
      () => end(null),
    );
  }

  /** Return what a reply means; null is none in time, an error, or no app. A required screen needs a good one. */
  private judge(screen: Screen, request: Request, reply: Json | null): Verdict {
    const { flow, host } = this;
    const { isTrial } = this;
    const otherwise = isRequired(screen) && !isTrial ? "stay" : "next";
    const result = text(reply?.result);
    const notice = text(reply?.message);
    const stay = { go: "stay", notice: notice || null };
    switch (request.type) {
      case "step": {
        const go = text(reply?.go);
        const waits = screen.settings.await_default === "stay" && !isTrial;
        if (go === "next" || go === "end" || placeOf(flow, go) >= 0) {
          return { go };
        }
        return go === "stay" ? stay : { go: waits ? "stay" : otherwise, notice };
      }
      case "action":
        return reply?.ok === false ? stay : { go: reply?.ok === true ? "next" : otherwise, notice };
      case "permission":
        return result === "granted" || result === "denied" ? { go: "next", choice: result } : { go: otherwise };
      case "purchase": {
        if (result === "purchased") {
          return { go: "next", choice: request.productId };
        }
        const choice = result === "cancelled" ? result : "failed";
        return host.hasOutcomes ? { go: otherwise, notice, choice } : { go: otherwise };
      }
      case "signup": {
        const isRefused = notice !== "" || result === "cancelled" || result === "failed";
        return SUCCESSES.has(result) ? { go: "next" } : isRefused ? stay : { go: otherwise };
      }
      case "restore":
        return SUCCESSES.has(result) ? { go: "next" } : host.hasOutcomes ? stay : { go: otherwise };
      default:
        return { go: "next" };
    }
  }

  /** Go where the app says: to a later screen, to one that was shown before, or to the end. */
  private jump(target: string): void {
    const { flow, state } = this;
    if (target !== "end" && placeOf(flow, target) <= placeOf(flow, state.screenId)) {
      this.stay(null);
      this.open(target);
    } else {
      this.report("screen_completed");
      this.goTo(target === "end" ? null : target);
    }
  }

  /** Return the requests to let a screen pass. One that is required, and asks for nothing else, is a step of the app. */
  private stepsOf(screen: Screen, requests: readonly Request[] = []): Request[] {
    const hasOutcome = screen.type === "native" || requests.some(({ type }) => type !== "rating");
    const isStep = screen.settings.await_app === true || (isRequired(screen) && !hasOutcome);
    return isStep ? [this.stepRequest(screen)] : [];
  }

  private stepRequest({ id }: Screen): Request {
    return { type: "step", screenId: id, answers: this.answers, next: this.stepOf(this.state).screenId };
  }

  protected override move(path: string[], ahead: string[]): void {
    super.move(path, ahead);
    this.reconsider();
  }

  /** Return whether the app does not draw a native screen that cannot be passed over. */
  private isStopped(screen: Screen): boolean {
    const stops = isRequired(screen) || fallbackOf(screen) === "stop";
    return screen.type === "native" && stops && !this.isDrawn(screen);
  }

  private isPassedOver(screenId: string | null): boolean {
    const screen = this.flow.screens[placeOf(this.flow, screenId)];
    return screen?.type === "native" && fallbackOf(screen) === "skip" && !isRequired(screen) && !this.isDrawn(screen);
  }

  /** Whether no app is asked, as in a preview, so that it leads through the whole flow. */
  private get isTrial(): boolean {
    return this.flow.isPreview && !this.host.hasOutcomes;
  }

  private isDrawn({ content }: Screen): boolean {
    return this.host.draws(text(content.name));
  }

  private valuesOf(prefix: string): Json {
    const values = Object.entries(this.host.logic.valuesOf(this.flow, this.state, this.host.context));
    return Object.fromEntries(
      values.filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]),
    );
  }

  protected override choiceOf(request: Request): string | undefined {
    return request.type === "purchase" && this.host.hasOutcomes ? undefined : super.choiceOf(request);
  }

  /**
   * Return to the first required screen that this visit has not passed, because a newer version of the flow may have it in
   * front of the position.
   */
  private returnToRequired(): void {
    const { flow, logic, state, host } = this;
    const { path, screenId } = state;
    const before = flow.screens.slice(0, Math.max(0, placeOf(flow, screenId))).map(({ id }) => id);
    const way = logic && screenId !== null ? logic.wayTo(flow, state, host.context, screenId) : before;
    const missed = flow.screens.find(
      (screen) => isRequired(screen) && way.includes(screen.id) && !path.includes(screen.id),
    );
    if (missed) {
      const passed = path.filter((id) => placeOf(flow, id) < placeOf(flow, missed.id));
      this.change({ screenId: missed.id, path: [...passed, missed.id], ahead: [] });
    }
  }
}

/** Return whether only the app can let a screen pass: no time, no error and no missing function does. */
export function isRequired({ settings }: Screen): boolean {
  return settings.required === true;
}

/** Return what happens to a native screen that the app does not draw. */
export function fallbackOf({ settings }: Screen): "skip" | "stop" | "screen" {
  return settings.fallback === "stop" || settings.fallback === "screen" ? settings.fallback : "skip";
}

/** Return how long a request may take. */
function secondsOf({ settings }: Screen, { type }: Request): number {
  return type === "step" || type === "action"
    ? Math.min(MAX_STEP_SECONDS, Math.max(0, number(settings.await_seconds) ?? STANDARD_STEP_SECONDS))
    : DIALOG_SECONDS;
}

/** Return whether conditions can read a value: a text, a number, true or false, or a list of texts. */
function isPlain(value: unknown): boolean {
  const isText = (one: unknown) => typeof one === "string" && one.length <= MAX_TEXT;
  const isScalar = isText(value) || typeof value === "boolean" || Number.isFinite(value);
  return isScalar || (list(value).length > 0 && list(value).every(isText));
}

/** A visit of a flow, without a screen to draw on: position, answers, and the actions of buttons. */

import { type Answer, answerTo, type Given, isQuestion, type Problem, problemOf, valuesOfAnswer } from "./answers";
import type { Button } from "./content";
import { type FlowDocument, placeOf, type Screen } from "./document";
import { type Json, list, number, object, text } from "./json";
import type { Logic, Step } from "./logic";
import type { Way } from "./values";

export interface SessionState extends Way {
  /** The present screen; null in a flow without screens. */
  readonly screenId: string | null;
  /** The screens that Back has left. A browser can go forward to them. */
  readonly ahead: readonly string[];
  /** The share of a flow with logic that was shown. It does not shrink on the way forward. */
  readonly progress: number;
  readonly isStarted: boolean;
  /** Whether the session waits for the app. */
  readonly isBusy: boolean;
  /** Why the app keeps the present screen: its words, or an empty text where it has not answered; else null. */
  readonly notice: string | null;
  readonly isOver: boolean;
}

/** A part of a screen that only an app can do. */
export type Request =
  | { type: "permission"; permission: string }
  | { type: "purchase"; productId: string }
  | { type: "signup"; method: string; fields: Record<string, string> }
  | { type: "rating" }
  | { type: "restore" }
  | { type: "action"; name: string; data: Json }
  | { type: "step"; screenId: string; answers: Json; next: string | null };

/** The surroundings of a session. */
export interface Host {
  /** What conditions, formulas and texts know of the device, as in a resolve. */
  readonly context: Json;
  /** The code of logic, which only some flows need. Without it the screens are shown as they are, in their order. */
  readonly logic: Logic | null;
  record(eventType: string, members?: Json): void;
  /** Ask the app. The session goes on when the promise is settled, or at once without a promise. */
  ask(request: Request): Promise<unknown> | null;
}

type Listener = (state: SessionState, before: SessionState) => void;

/** Return whether a button leaves the flow, whatever is given on its screen. */
export function isLeaving({ action }: Button): boolean {
  return action === "skip" || action === "close" || action === "sign_in";
}

/** The position in a flow is the id of a screen, because a newer version of the flow may have another order. */
export class FlowSession {
  /** The code of logic, null in a flow whose screens have no conditions and no rules. */
  readonly logic: Logic | null;
  private current: SessionState;
  private readonly listeners = new Set<Listener>();
  /** The number of changes of the screen, so that the end of a wait finds out whether the user has moved on. */
  protected turn = 0;

  /** `stored` is the state of this visit before a reload, for this version of the flow or for another one. */
  constructor(
    readonly flow: FlowDocument,
    protected readonly host: Host,
    stored: Json = {},
  ) {
    this.logic = host.logic?.hasLogic(flow) ? host.logic : null;
    const restored = restore(flow, stored, (way) => this.stepOf(way).screenId);
    this.current = { ...restored, progress: number(stored.progress) ?? this.shareOf(restored) };
  }

  get state(): SessionState {
    return this.current;
  }

  /** The present screen, with the values of the names in its texts. */
  get screen(): Screen | undefined {
    const { flow, host, current } = this;
    const screen = flow.screens[placeOf(flow, current.screenId)];
    return screen && host.logic ? host.logic.fill(flow, screen, current, host.context) : screen;
  }

  /** Call back after each change. Return a function that ends it. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Report the first view of a visit. A flow without screens is over at once. */
  start(): void {
    if (!this.current.isStarted) {
      this.change({ isStarted: true });
      this.host.record("flow_started");
    }
    if (this.current.screenId === null) {
      this.finish("flow_completed");
    } else {
      this.reportView();
    }
  }

  /** Keep the answer to the present question. Return its problem, null if it is valid. */
  answer(given: Given): Problem | null {
    const { screen, flow } = this;
    const problem = screen ? problemOf(screen, given) : null;
    if (!screen || !isQuestion(screen) || problem) {
      return problem;
    }
    const others = this.answersBut(screen.id);
    if (!given) {
      this.keep({ answers: others });
    } else {
      const answer = answerTo(screen, given);
      this.keep({ answers: [...others, answer] });
      for (const [answer_key, value] of valuesOfAnswer(screen, answer)) {
        const recorded = flow.recordAnswers ? { answer: value } : {};
        this.report("question_answered", { answer_key, question_type: screen.type, ...recorded });
      }
    }
    return null;
  }

  /**
   * Run the action of a button. The primary button keeps what was given; other buttons have no `given`. Return the
   * problem that keeps the screen.
   */
  press(button: Button, given?: Given): Problem | null {
    const { screen } = this;
    const { action } = button;
    if (!screen || this.current.isBusy || this.current.isOver) {
      return null;
    }
    if (action === "sign_in") {
      this.ask({ type: "signup", method: "sign_in", fields: {} });
    }
    if (isLeaving(button)) {
      if (action === "close" && this.stepOf(this.current).screenId === null) {
        this.leave([], button);
      } else {
        this.finish("flow_skipped", screen.id);
      }
      return null;
    }
    const problem = given === undefined ? null : this.answer(given);
    if (!problem) {
      this.leave(requestsOf(screen, action, given), button);
    }
    return problem;
  }

  /**
   * Go on because the time of the screen is over: complete it with what was given, and ask the app for nothing. A
   * question without a valid answer stays.
   */
  elapse(given: Given = null): void {
    const { screen } = this;
    if (screen && !this.current.isBusy && !this.current.isOver && !(isQuestion(screen) && this.answer(given))) {
      this.leave([], null);
    }
  }

  /** Pass over the present screen without its answer. */
  skip(): void {
    const { screen } = this;
    if (!screen || this.current.isBusy || this.current.isOver) {
      return;
    }
    if (screen.type === "paywall" && screen.content.close_button === true) {
      this.report("paywall_dismissed");
    }
    const { [screen.id]: _, ...choices } = this.current.choices;
    this.keep({ answers: this.answersBut(screen.id), choices });
    this.goTo(this.stepOf(this.current).screenId);
  }

  /** Go back to the screen before the present one. */
  back(): void {
    this.open(this.current.path[this.current.path.length - 2] ?? "");
  }

  /** Go to a screen that was shown before, or with `anywhere` to any screen of the flow. */
  open(screenId: string, anywhere = false): void {
    const { flow, current, logic, host } = this;
    const reached = [...current.path, ...current.ahead];
    const place = reached.indexOf(screenId);
    if (current.isOver || current.screenId === screenId) {
      return;
    }
    if (place >= 0) {
      this.move(reached.slice(0, place + 1), reached.slice(place + 1));
    } else if (anywhere && placeOf(flow, screenId) >= 0) {
      const before = flow.screens.slice(0, placeOf(flow, screenId)).map(({ id }) => id);
      this.move([...(logic ? logic.wayTo(flow, current, host.context, screenId) : before), screenId], []);
    }
  }

  /** Keep the answer of a screen that is no question: what the app was asked for, or how that ended. */
  choose(screenId: string, choice: string): void {
    this.keep({ choices: { ...this.current.choices, [screenId]: choice } });
  }

  /** Ask the app, and report the request. Return null if nothing answers. */
  protected ask(request: Request): Promise<unknown> | null {
    const choice = this.choiceOf(request);
    if (choice) {
      this.choose(this.current.screenId ?? "", choice);
    }
    if (request.type === "permission") {
      this.report("permission_requested", { permission: request.permission });
    } else if (request.type === "purchase") {
      this.report("paywall_purchase_chosen", { product_id: request.productId });
    } else if (request.type === "signup") {
      this.report("signup_chosen", { method: request.method });
    }
    return this.host.ask(request);
  }

  /** Return the answer that a request is before the app has answered it. */
  protected choiceOf(request: Request): string | undefined {
    return this.logic?.choiceOf(request);
  }

  /** Complete the present screen after what it asks of the app, however that ends. */
  protected leave(requests: readonly Request[], _button: Button | null): void {
    const answers = requests.map((request) => this.ask(request));
    if (answers.every((answer) => answer === null)) {
      this.complete();
      return;
    }
    this.change({ isBusy: true });
    const { turn } = this;
    const goOn = () => {
      if (turn === this.turn && !this.current.isOver) {
        this.complete();
      }
    };
    Promise.all(answers).then(goOn, goOn);
  }

  protected complete(): void {
    this.report("screen_completed");
    this.goTo(this.stepOf(this.current).screenId);
  }

  /** Go to a screen that follows the present one; null ends the flow. */
  protected goTo(target: string | null, path = this.current.path): void {
    const { ahead } = this.current;
    if (target === null) {
      this.finish("flow_completed");
    } else {
      this.move([...path, target], ahead[0] === target ? ahead.slice(1) : []);
    }
  }

  private shareOf(way: Way): number {
    return this.logic?.progress(this.flow, way, this.host.context) ?? 0;
  }

  protected stepOf(way: Way): Step {
    const { logic, flow, host } = this;
    const screenId = flow.screens[placeOf(flow, way.path[way.path.length - 1]) + 1]?.id ?? null;
    return logic ? logic.next(flow, way, host.context) : { screenId, rule: null };
  }

  /** Keep what was given. With logic another answer leads to other screens than those that Back has left. */
  protected keep(given: Partial<Way>): void {
    this.change({ ...given, ...(this.logic ? { ahead: [] } : {}) });
  }

  protected move(path: string[], ahead: string[]): void {
    this.turn += 1;
    const { current } = this;
    const isBack = path.length < current.path.length;
    const progress = Math.max(isBack ? 0 : current.progress, this.shareOf({ ...current, path }));
    this.change({ screenId: path[path.length - 1] ?? null, path, ahead, progress, isBusy: false, notice: null });
    this.reportView(isBack ? current.screenId : null);
  }

  /** Report the present screen. `left` is the screen that Back has left. */
  private reportView(left: string | null = null): void {
    const { path, screenId } = this.current;
    const before = path.slice(0, -1);
    const step = this.stepOf({ ...this.current, path: before });
    this.report("screen_viewed", {
      from_screen_id: left ?? before[before.length - 1] ?? null,
      rule: left || step.screenId !== screenId ? null : step.rule,
      step: path.length,
      ...(left ? { is_back: true } : {}),
    });
  }

  protected finish(eventType: string, screenId?: string): void {
    if (!this.current.isOver) {
      this.host.record(eventType, screenId ? { screenId } : {});
      this.change({ isOver: true, isBusy: false });
    }
  }

  private answersBut(screenId: string): Answer[] {
    return this.current.answers.filter((answer) => answer.screenId !== screenId);
  }

  protected report(eventType: string, properties?: Json): void {
    this.host.record(eventType, { screenId: this.current.screenId, ...(properties ? { properties } : {}) });
  }

  protected change(changes: Partial<SessionState>): void {
    const before = this.current;
    this.current = { ...before, ...changes };
    for (const listener of this.listeners) {
      listener(this.current, before);
    }
  }
}

/** Return what the app has to do before a screen is complete. */
function requestsOf(screen: Screen, action: string, given?: Given): Request[] {
  const found: Request[] = [];
  if (given && screen.type === "signup") {
    found.push({ type: "signup", method: String(given.answer), fields: given.fields ?? {} });
  } else if (given && screen.type === "paywall") {
    found.push({ type: "purchase", productId: String(given.answer) });
  }
  if (action === "request_permission") {
    found.push({ type: "permission", permission: text(screen.content.permission) });
  } else if (action === "rate") {
    found.push({ type: "rating" });
  } else if (action === "restore" || action === "restore_purchases") {
    found.push({ type: "restore" });
  }
  return found;
}

/**
 * Return the state of a visit in this version of a flow. The position is that of the stored screen or, if the flow does
 * not have it any more, of the last one before it.
 */
function restore(flow: FlowDocument, stored: Json, next: (way: Way) => string | null): SessionState {
  const ids = flow.screens.map(({ id }) => id);
  const given = {
    answers: list(stored.answers).filter((answer): answer is Answer => text(object(answer).screenId) !== ""),
    choices: object(stored.choices) as Record<string, string>,
    set: object(stored.set) as Record<string, Json>,
  };
  // The release before stored the number of the furthest screen.
  const path = stored.path
    ? list(stored.path).map((id) => text(id))
    : ids.slice(0, (number(stored.furthest) ?? -1) + 1);
  const screenId = [...path].reverse().find((id) => ids.includes(id)) ?? next({ ...given, path: [] });
  const known = new Set([screenId, ...path, ...list(stored.ahead)]);
  const reached = ids.filter((id) => known.has(id));
  const length = reached.indexOf(screenId ?? "") + 1;
  const way = { ...given, path: reached.slice(0, length) };
  return {
    ...way,
    screenId,
    ahead: reached.slice(length),
    progress: 0,
    isStarted: stored.isStarted === true,
    isBusy: false,
    notice: null,
    isOver: false,
  };
}

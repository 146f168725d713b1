/** A visit of a flow that the app draws itself: the engine of the hosted pages, with events and results. */

import { answerOf, type Given, isQuestion, type Problem } from "@onboarding/flow/answers";
import { AppSession } from "@onboarding/flow/appSession";
import { type Button, button, buttons, heading, subtitle } from "@onboarding/flow/content";
import { type FlowDocument, placeOf, readDocument } from "@onboarding/flow/document";
import { givenOf } from "@onboarding/flow/given";
import { type Json, list, object, text } from "@onboarding/flow/json";
import { logicIn, valuesOf } from "@onboarding/flow/logic";
import { withTrees } from "@onboarding/flow/parser";
import type { Request } from "@onboarding/flow/session";
import { Listeners } from "./listeners";
import type { Outcome } from "./store";
import type { Flow, Screen } from "./types";

export type { Button, Problem, Request };

/**
 * What only the app can do. The flow waits for a promise, and takes a default without one. A permission ends in `granted` or
 * `denied`, a purchase in `purchased`, `cancelled` or `failed`; conditions read it as the answer of the screen. A sign-up
 * ends in `ok`, a step in `{ go: "next" | "stay" | screen id, message?, set? }`, an action in `{ ok, set? }`. Only these let
 * a required screen pass.
 */
export type Handler = (request: Request) => Promise<unknown> | null | undefined;

export interface FlowState {
  /** The present screen, with the values of the names in its texts; null when the flow is over. */
  screen: Screen | null;
  screenId: string | null;
  answers: Json;
  variables: Json;
  /** The share of the flow that was shown, from 0 to 1. */
  progress: number;
  canGoBack: boolean;
  /** Whether the flow waits for the app. */
  isBusy: boolean;
  /** Why the app keeps the present screen: its words, an empty text where it has not answered, else null. */
  notice: string | null;
  isOver: boolean;
  outcome: Outcome | null;
}

export interface FlowResult {
  outcome: Outcome;
  answers: Json;
  variables: Json;
  flowId: string;
  variant: string | null;
}

/** What a session needs of the client. */
export interface Visit {
  context: Json;
  appName: string;
  language: string;
  recordAnswers: boolean;
  variant: string | null;
  stored: Json;
  record(eventType: string, members: Json): void;
  save(state: Json | null): void;
  finish(outcome: Outcome): void;
  ask: Handler | undefined;
  draws(name: string): boolean;
  warn(message: string, detail?: unknown): void;
}

const LABELS = { allow: "Allow", continue: "Continue", continueWith: "Continue with {0}", notNow: "Not now" };

export class FlowSession {
  /** The engine, for renderers that draw with the player of the hosted pages. */
  readonly engine: AppSession;
  readonly flow: FlowDocument;
  /** Settled when the flow is over. */
  readonly result: Promise<FlowResult>;
  private current: FlowState;
  private outcome: Outcome | null = null;
  private given: Given = null;
  private readonly listeners: Listeners<FlowState>;

  constructor(
    source: Flow,
    private readonly visit: Visit,
  ) {
    const { context, language, record } = visit;
    this.listeners = new Listeners(visit.warn);
    const document = {
      ...{ flowId: source.id, projectName: visit.appName, theme: source.theme, screens: source.screens },
      ...{ variables: withTrees(list(source.variables) as { name: string; formula: string }[]) },
      ...{ recordAnswers: visit.recordAnswers, analyticsEnabled: true },
    };
    this.flow = readDocument(document, true);
    const logic = logicIn(() => language);
    const host = {
      context,
      logic,
      record: (eventType: string, members: Json = {}) => {
        this.outcome = eventType === "flow_completed" ? "completed" : this.outcome;
        this.outcome = eventType === "flow_skipped" ? "skipped" : this.outcome;
        record(eventType, members);
      },
      ask: (request: Request) => this.ask(request),
      draws: visit.draws,
      // Without a function for anything, a purchase is what the user has chosen.
      hasOutcomes: visit.ask !== undefined,
      after: (milliseconds: number, callback: () => void) => {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
      },
    };
    this.engine = new AppSession(this.flow, host, visit.stored);
    this.current = this.read();
    this.result = new Promise((settle) => {
      this.engine.subscribe(({ isOver }, before) => {
        this.given = this.engine.state.screenId === before.screenId ? this.given : null;
        this.current = this.read();
        visit.save(isOver ? null : (this.engine.state as unknown as Json));
        if (isOver && !before.isOver) {
          visit.finish(this.outcome ?? "skipped");
          settle(this.ended());
        }
        this.listeners.notify(this.current);
      });
    });
    this.engine.start();
  }

  /** The present state. It is the same object until something changes. */
  get state(): FlowState {
    return this.current;
  }

  /** Call back after each change. Return a function that ends it. */
  subscribe(listener: (state: FlowState) => void): () => void {
    return this.listeners.add(listener);
  }

  /**
   * Give the answer to the present screen: a value, a list of values, or null to take it back. Sign-ups take the method,
   * paywalls the id of a product. Return the problem of the answer, null if it is valid.
   */
  answer(value: unknown): Problem | null {
    const { screen } = this.engine;
    if (!screen) {
      return null;
    }
    this.given = value === null || value === undefined ? null : givenOf(screen, value);
    return isQuestion(screen) ? this.engine.answer(this.given) : null;
  }

  /** Press a button of the present screen. Return the problem that keeps the screen, null if there is none. */
  press(pressed: "primary" | "secondary" | Button): Problem | null {
    const { screen } = this.engine;
    if (!screen) {
      return null;
    }
    const [primary, secondary] = buttons(screen, LABELS);
    const chosen = pressed === "primary" ? primary : pressed === "secondary" ? secondary : pressed;
    if (!chosen) {
      return null;
    }
    const isPrimary = pressed === "primary" || chosen === primary;
    return this.engine.press(chosen, isPrimary ? this.givenOn(screen.id) : undefined);
  }

  /** Go on, as the primary button does. Return the problem that keeps the screen, null if there is none. */
  forward(): Problem | null {
    return this.press("primary");
  }

  /** Go to the screen before the present one. */
  back(): void {
    this.engine.back();
  }

  /** Pass over the present screen without its answer. */
  skip(): void {
    this.engine.skip();
  }

  /** Complete a screen of type `native`. The values become answers, or attributes by their full names. */
  done(values?: Json): void {
    this.engine.done(values);
  }

  /** Keep the present screen, and show why. */
  fail(message: string): void {
    this.engine.stay(message);
  }

  /** Leave the flow. */
  end(): void {
    this.engine.press(button("", "skip"));
  }

  /** Return the buttons of the present screen: the primary and the secondary one. */
  get buttons(): [Button, Button | null] | null {
    const { screen } = this.engine;
    return screen ? buttons(screen, LABELS) : null;
  }

  /** Return a text of the present screen, such as `title`, `subtitle` or `options.0.label`; empty without it. */
  text(path: string): string {
    const { screen } = this.engine;
    if (!screen) {
      return "";
    }
    const known = path === "title" ? heading(screen) : path === "subtitle" ? subtitle(screen.content) : "";
    const found = path.split(".").reduce<unknown>((value, name) => {
      return Array.isArray(value) ? value[Number(name)] : object(value)[name];
    }, screen.content);
    return known || text(found);
  }

  private givenOn(screenId: string): Given {
    const stored = answerOf(this.engine.state.answers, screenId);
    return this.given ?? (stored ? { answer: stored.answer, ...(stored.unit ? { unit: stored.unit } : {}) } : null);
  }

  private ask(request: Request): Promise<unknown> | null {
    const { screenId } = this.engine.state;
    const failed = (error: unknown) => {
      this.visit.warn("A function of the app has failed.", error);
      throw error;
    };
    try {
      const asked = this.visit.ask?.(request);
      return asked ? Promise.resolve(asked).then((reply) => this.reported(request, screenId, reply), failed) : null;
    } catch (error) {
      return Promise.reject(error).catch(failed);
    }
  }

  /** Report how a permission ended. Return the reply. */
  private reported(request: Request, screenId: string | null, reply: unknown): unknown {
    const result = text(reply, object(reply).result);
    if (request.type === "permission" && (result === "granted" || result === "denied")) {
      this.visit.record(`permission_${result}`, { screenId, properties: { permission: request.permission } });
    }
    return reply;
  }

  private read(): FlowState {
    const { engine, flow } = this;
    const { screenId, path, progress, isBusy, notice, isOver } = engine.state;
    const values = valuesOf(flow, engine.state, this.visit.context);
    const screen = placeOf(flow, screenId) >= 0 && !isOver ? (engine.screen as unknown as Screen) : null;
    return {
      ...{
        screen,
        screenId,
        progress,
        isBusy,
        notice,
        isOver,
        outcome: this.outcome,
        canGoBack: path.length > 1 && !isOver,
      },
      ...{ answers: group(values, "answers."), variables: group(values, "variables.") },
    };
  }

  private ended(): FlowResult {
    const { answers, variables, outcome } = this.current;
    return { outcome: outcome ?? "skipped", answers, variables, flowId: this.flow.flowId, variant: this.visit.variant };
  }
}

function group(values: Json, prefix: string): Json {
  const named = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(prefix.length), value]));
}

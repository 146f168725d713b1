/** The sequence of screens of a flow, and the actions of their buttons. */

import { type Button, buttons, heading } from "@onboarding/flow/content";
import type { FlowDocument, Screen } from "@onboarding/flow/document";
import { memberOf, text } from "@onboarding/flow/json";
import { type Bridge, waitForReturn } from "./bridge";
import { h } from "./dom";
import { actionButton, badge, frame, paragraph, title } from "./frame";
import { multipleChoice, singleChoice } from "./screens/choices";
import { signup, textQuestion } from "./screens/forms";
import { custom, feature, other, permissions, welcome } from "./screens/information";
import { paywall } from "./screens/paywall";
import { picker } from "./screens/picker";
import type { ScreenContext, ScreenView } from "./screens/screen";
import { Stage } from "./stage";
import type { Visit } from "./visit";
import { WORDS } from "./words";

/** A second tap on the button of the screen before falls into this time. */
const SETTLE_MS = 350;

const SCREENS: Record<string, (context: ScreenContext) => ScreenView> = {
  welcome,
  feature,
  permissions,
  signup,
  question_text: textQuestion,
  question_single_choice: singleChoice,
  question_multiple_choice: multipleChoice,
  question_picker: picker,
  paywall,
  custom,
};

/** The page of a player: the live page has history and events, the preview of the dashboard has neither. */
export interface Environment {
  visit: Visit;
  bridge: Bridge;
  /** Whether an app gets what is typed into a sign-up. */
  hasApp(): boolean;
  isDark(): boolean;
  record(eventType: string, members?: Record<string, unknown>): void;
  /** Go forwards to a screen; the page calls `show`. */
  go(index: number): void;
  /** Go back to a screen; the page calls `show`. */
  back(index: number): void;
  /** Open an address outside of the page. Return false to let the browser follow the link. */
  open(url: string): boolean;
  /** Called once, when the flow is completed or skipped. Return the events that were not sent in time. */
  ended(): Promise<object[]>;
}

/** Shows the screens of a flow, keeps their answers and reports their events. */
export class Player {
  private readonly stage: Stage;
  private index = 0;
  private isBusy = false;
  private isOver = false;
  /** The present frame, and when it appeared. */
  private frame: HTMLElement | null = null;
  private shownAt = 0;

  constructor(
    root: HTMLElement,
    readonly flow: FlowDocument,
    private readonly environment: Environment,
  ) {
    this.stage = new Stage(root, flow.theme, () => environment.isDark());
  }

  get position(): number {
    return this.index;
  }

  /** Show a screen. `move` is 1 forwards, -1 backwards, and 0 for the first paint, which leaves the focus alone. */
  show(index: number, move: number): void {
    if (this.isOver) {
      this.showEnd();
      return;
    }
    const { flow, environment } = this;
    this.index = Math.min(Math.max(0, index), Math.max(0, flow.screens.length - 1));
    this.isBusy = false;
    const screen = flow.screens[this.index];
    if (!screen) {
      this.end("flow_completed");
      return;
    }
    environment.visit.reach(this.index);
    const view = this.view(screen);
    const [primary, secondary] = buttons(screen, WORDS);
    const skippable = screen.settings.skippable === true;
    const element = frame(
      {
        index: this.index,
        count: flow.screens.length,
        onBack: this.index > 0 ? () => environment.back(this.index - 1) : null,
        onSkip: skippable ? () => this.skipScreen(screen) : null,
        onClose: view.close ? () => this.leave(view) : null,
      },
      view.content,
      [
        actionButton(primary, "primary", () => this.pressPrimary(screen, view, primary)),
        secondary && actionButton(secondary, "secondary", (pressed) => void this.run(screen, null, pressed)),
      ],
    );
    element.addEventListener("click", (event) => this.filter(event), true);
    this.settle(element);
    this.stage.show(element, screen, move);
    if (move !== 0) {
      environment.record("screen_viewed", { screenId: screen.id });
      this.sendThemeStyle();
    }
  }

  /** Take over another colour scheme. The screen stays, with what was typed. */
  repaint(): void {
    this.stage.paint(this.flow.screens[this.index]);
    this.sendThemeStyle();
  }

  /** Send the style of the present screen to the app. */
  sendThemeStyle(): void {
    this.environment.bridge.sendThemeStyle(this.stage.style(this.flow.screens[this.index]));
  }

  private get isBlocked(): boolean {
    return this.isBusy || this.isOver || performance.now() - this.shownAt < SETTLE_MS;
  }

  /** Note that a frame appears. For a moment it takes no presses. */
  private settle(element: HTMLElement): void {
    this.frame = element;
    this.shownAt = performance.now();
    element.dataset.settling = "";
    window.setTimeout(() => delete element.dataset.settling, SETTLE_MS);
  }

  /** Drop presses that come too early or too often, and open links. */
  private filter(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (this.isBlocked) {
      event.preventDefault();
      event.stopPropagation();
    } else if (link && this.environment.open(link.href)) {
      event.preventDefault();
    }
  }

  private view(screen: Screen): ScreenView {
    const make = memberOf(SCREENS, screen.type);
    const context: ScreenContext = {
      screen,
      flow: this.flow,
      answer: this.environment.visit.answerOf(screen.id),
      bridge: this.environment.bridge,
      hasApp: this.environment.hasApp(),
      press: (button, asksApp) => {
        if (button.action === "primary") {
          this.pressPrimary(screen, view, buttons(screen, WORDS)[0]);
        } else {
          void this.run(screen, null, button, asksApp);
        }
      },
      record: (eventType, properties) => this.environment.record(eventType, { screenId: screen.id, properties }),
    };
    let view: ScreenView;
    try {
      view = (make ?? other)(context);
    } catch (error) {
      // Any screen can be left.
      console.error(error);
      view = other(context);
    }
    return view;
  }

  private pressPrimary(screen: Screen, view: ScreenView, button: Button): void {
    if (this.isBlocked || view.validate?.() === false) {
      return;
    }
    const leaves = button.action === "skip" || button.action === "close";
    const asksApp = !leaves && view.beforePrimary?.() === true;
    void this.run(screen, view, button, asksApp);
  }

  /** Run an action; an unknown one completes the screen. The answer is read from `view`, unless it is null. */
  private async run(screen: Screen, view: ScreenView | null, button: Button, asksApp = false): Promise<void> {
    if (this.isBlocked) {
      return;
    }
    const { environment } = this;
    const { bridge } = environment;
    let waits = asksApp;
    if (button.action === "skip" || button.action === "close" || button.action === "sign_in") {
      const isLast = this.index === this.flow.screens.length - 1;
      if (button.action === "sign_in") {
        environment.record("signup_chosen", { screenId: screen.id, properties: { method: "sign_in" } });
        bridge.signUp("sign_in", {});
      }
      if (button.action === "close" && isLast) {
        this.complete(screen);
      } else {
        this.end("flow_skipped", screen);
      }
      return;
    }
    if (view && !this.keepAnswer(screen, view)) {
      return;
    }
    if (button.action === "request_permission") {
      const permission = text(screen.content.permission);
      environment.record("permission_requested", { screenId: screen.id, properties: { permission } });
      bridge.requestPermission(permission);
      waits = true;
    } else if (button.action === "rate") {
      bridge.requestRating();
      waits = true;
    } else if (button.action === "restore" || button.action === "restore_purchases") {
      bridge.restorePurchases();
      waits = true;
    }
    if (waits && bridge.isPresent) {
      const { frame } = this;
      this.isBusy = true;
      await waitForReturn();
      if (frame !== this.frame) {
        // The user went back meanwhile.
        return;
      }
    }
    this.complete(screen);
  }

  /** Keep the answer of a question, and report it. Return false while it is not valid. */
  private keepAnswer(screen: Screen, view: ScreenView): boolean {
    const given = view.read?.();
    if (!view.read) {
      return true;
    }
    if (given === undefined) {
      return false;
    }
    const { visit, record } = this.environment;
    if (given === null) {
      visit.removeAnswer(screen.id);
      return true;
    }
    const answerKey = text(screen.content.answer_key) || screen.id;
    visit.setAnswer({
      screenId: screen.id,
      questionText: heading(screen),
      questionType: screen.type,
      answerKey,
      ...given,
    });
    const answer = this.flow.recordAnswers ? { answer: given.answer } : {};
    record("question_answered", {
      screenId: screen.id,
      properties: { answer_key: answerKey, question_type: screen.type, ...answer },
    });
    return true;
  }

  private complete(screen: Screen): void {
    this.environment.record("screen_completed", { screenId: screen.id });
    this.advance();
  }

  private skipScreen(screen: Screen): void {
    this.environment.visit.removeAnswer(screen.id);
    this.advance();
  }

  private leave(view: ScreenView): void {
    view.beforeClose?.();
    this.advance();
  }

  private advance(): void {
    if (this.index + 1 < this.flow.screens.length) {
      this.environment.go(this.index + 1);
    } else {
      this.end("flow_completed");
    }
  }

  private end(eventType: string, screen?: Screen): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const { environment, flow } = this;
    const { bridge, visit } = environment;
    environment.record(eventType, screen ? { screenId: screen.id } : {});
    if (!bridge.isPresent) {
      this.showEnd();
    }
    bridge.sendAnswers(flow.flowId, visit.responses(flow.screens.map((entry) => entry.id)));
    environment.ended().then(
      (pending) => bridge.close(pending),
      () => bridge.close(),
    );
  }

  /** Show the end of a flow in a browser, which no app closes. */
  private showEnd(): void {
    const content = [h("div", { class: "hero" }, badge("check", "big")), title(WORDS.done), paragraph(WORDS.doneText)];
    const options = { index: 0, count: 1, onBack: null, onSkip: null, onClose: null };
    this.stage.show(frame(options, content, []), this.flow.screens[this.index], 1);
  }
}

/** Shows the screens of a flow one after the other, and runs the actions of their buttons. */

import { type Bridge, waitForReturn } from "./bridge";
import { type Button, buttons, heading } from "./content";
import { h } from "./dom";
import { type FlowDocument, type Screen, text } from "./flowDocument";
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

/** Around a player: the live page has history and events, the preview of the dashboard has neither. */
export interface Surroundings {
  visit: Visit;
  bridge: Bridge;
  isDark(): boolean;
  record(eventType: string, members?: Record<string, unknown>): void;
  /** A screen is to be shown next. Returns true if the surroundings call `show` themselves. */
  go(index: number): void;
  back(index: number): void;
  /** The flow is over. */
  ended(): void;
}

export class Player {
  private readonly stage: Stage;
  private index = 0;
  private isBusy = false;
  private isOver = false;

  constructor(
    root: HTMLElement,
    readonly flow: FlowDocument,
    private readonly around: Surroundings,
  ) {
    this.stage = new Stage(root, flow.theme, () => around.isDark());
  }

  get position(): number {
    return this.index;
  }

  /** Show a screen. `move` is 1 forwards, -1 backwards, and 0 for the first paint, which leaves the focus alone. */
  show(index: number, move: number): void {
    const { flow, around } = this;
    this.index = Math.min(Math.max(0, index), Math.max(0, flow.screens.length - 1));
    this.isBusy = false;
    const screen = flow.screens[this.index];
    if (!screen) {
      this.end("flow_completed");
      return;
    }
    around.visit.reach(this.index);
    const view = this.view(screen);
    const [primary, secondary] = buttons(screen);
    const skippable = screen.settings.skippable === true;
    const element = frame(
      {
        index: this.index,
        count: flow.screens.length,
        onBack: this.index > 0 ? () => around.back(this.index - 1) : null,
        onSkip: skippable ? () => this.skipScreen(screen) : null,
        onClose: view.close ? () => this.advance() : null,
      },
      view.content,
      [
        actionButton(primary, "primary", () => this.pressPrimary(screen, view, primary)),
        secondary && actionButton(secondary, "secondary", (pressed) => void this.run(screen, null, pressed)),
      ],
    );
    this.stage.show(element, screen, move);
    document.title = [heading(screen), flow.flowName].filter(Boolean).join(" – ").slice(0, 200);
    if (move !== 0) {
      around.record("screen_viewed", { screenId: screen.id });
      this.tellStyle();
    }
  }

  /** Tell the app the style of the present screen. */
  tellStyle(): void {
    this.around.bridge.themeStyle(this.stage.style(this.flow.screens[this.index]));
  }

  private view(screen: Screen): ScreenView {
    const make = Object.hasOwn(SCREENS, screen.type) ? SCREENS[screen.type] : undefined;
    const context: ScreenContext = {
      screen,
      flow: this.flow,
      answer: this.around.visit.answerOf(screen.id),
      press: (button) => {
        if (button.action === "primary") {
          this.pressPrimary(screen, view, buttons(screen)[0]);
        } else {
          void this.run(screen, null, button);
        }
      },
      record: (eventType, properties) => this.around.record(eventType, { screenId: screen.id, properties }),
    };
    const view = (make ?? other)(context);
    return view;
  }

  private pressPrimary(screen: Screen, view: ScreenView, button: Button): void {
    if (this.isBusy || view.validate?.() === false) {
      return;
    }
    if (button.action !== "skip" && button.action !== "close") {
      view.beforePrimary?.();
    }
    void this.run(screen, view, button);
  }

  /** Run an action. Without a view, a question of the screen is not read. Unknown actions go on. */
  private async run(screen: Screen, view: ScreenView | null, button: Button): Promise<void> {
    if (this.isBusy || this.isOver) {
      return;
    }
    const { around } = this;
    if (button.action === "skip" || button.action === "close" || button.action === "sign_in") {
      const isLast = this.index === this.flow.screens.length - 1;
      if (button.action === "sign_in") {
        around.record("signup_chosen", { screenId: screen.id, properties: { method: "sign_in" } });
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
      this.isBusy = true;
      const permission = text(screen.content.permission);
      around.record("permission_requested", { screenId: screen.id, properties: { permission } });
      around.bridge.requestPermission(permission);
      await waitForReturn();
    } else if (button.action === "rate") {
      this.isBusy = true;
      around.bridge.requestRating();
      await waitForReturn();
    }
    this.complete(screen);
  }

  /** Keep the answer of a question, and report it. Returns false while it is not valid. */
  private keepAnswer(screen: Screen, view: ScreenView): boolean {
    const given = view.read?.();
    if (!view.read) {
      return true;
    }
    if (given === undefined) {
      return false;
    }
    const { visit, record } = this.around;
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
    this.around.record("screen_completed", { screenId: screen.id });
    this.advance();
  }

  private skipScreen(screen: Screen): void {
    this.around.visit.removeAnswer(screen.id);
    this.advance();
  }

  private advance(): void {
    if (this.index + 1 < this.flow.screens.length) {
      this.around.go(this.index + 1);
    } else {
      this.end("flow_completed");
    }
  }

  private end(eventType: string, screen?: Screen): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const { around, flow } = this;
    around.record(eventType, screen ? { screenId: screen.id } : {});
    around.ended();
    if (!around.bridge.isPresent) {
      this.showEnd();
    }
    around.bridge.close(flow.flowId, around.visit.responses(flow.screens.map((entry) => entry.id)));
  }

  /** A browser without an app stays open. */
  private showEnd(): void {
    const content = [h("div", { class: "hero" }, badge("check", "big")), title(WORDS.done), paragraph(WORDS.doneText)];
    const around = { index: 0, count: 1, onBack: null, onSkip: null, onClose: null };
    this.stage.show(frame(around, content, []), this.flow.screens[this.index], 1);
  }
}

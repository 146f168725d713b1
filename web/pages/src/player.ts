/** The screens of a session on the page. */

import { answerOf, isQuestion, responses } from "@onboarding/flow/answers";
import { type Button, buttons } from "@onboarding/flow/content";
import type { Contents } from "@onboarding/flow/contents";
import { countOf, placeOf, type Screen } from "@onboarding/flow/document";
import { memberOf } from "@onboarding/flow/json";
import { type FlowSession, isLeaving, type SessionState } from "@onboarding/flow/session";
import type { Bridge } from "./bridge";
import { h } from "./dom";
import { actionButton, badge, frame, paragraph, title } from "./frame";
import { arrange, backgroundOf } from "./layout";
import type { LoadedType, Parts } from "./parts";
import { logo, repaintPictures } from "./picture";
import { multipleChoice, singleChoice } from "./screens/choices";
import { custom, feature, other, permissions, welcome } from "./screens/information";
import type { ScreenContext, ScreenView, ScreenViews } from "./screens/screen";
import { textQuestion } from "./screens/textQuestion";
import { Stage } from "./stage";
import { problemText, WORDS } from "./words";

/** A second tap on the button of the screen before falls into this time. */
const SETTLE_MS = 350;

const SCREENS: Record<Exclude<keyof Contents, LoadedType>, ScreenViews[string]> = {
  welcome,
  feature,
  permissions,
  question_text: textQuestion,
  question_single_choice: singleChoice,
  question_multiple_choice: multipleChoice,
  custom,
};

/**
 * The page of a player: the live page has a history, an app and a service, the preview of the dashboard has none. The web
 * SDK draws into an element of the app's page.
 */
export interface Environment {
  bridge: Bridge;
  /** The views of those types of screens that only some flows load. */
  screens: ScreenViews;
  /** Starts the times of screens, in flows that have some. */
  times: Parts["times"];
  /** Whether an app gets what is typed into a sign-up. */
  hasApp(): boolean;
  /** Whether a screen that the page begins with is edited, so that it does not leave by itself. */
  isEdited: boolean;
  isDark(): boolean;
  /** The language of the controls. */
  language: string;
  /** What scrolls the screens: a window or an element. */
  scroller: Pick<Element, "scrollTo">;
  back(): void;
  /** Open an address outside of the page. Return false to let the browser follow the link. */
  open(url: string): boolean;
  /** Called once, at the end of the session. Return the events that were not sent in time. */
  ended(): Promise<object[]>;
}

/** Shows the present screen of a session, and its end. */
export class Player {
  readonly stage: Stage;
  /** When the present screen appeared. */
  private shownAt = 0;
  /** The view of the present screen. */
  private shown: ScreenView | null = null;
  /** Whether the page began with the present screen. */
  private isFirst = true;
  /** End the times of the present screen. */
  private stopTimes = () => {};
  /** Follow the session no longer, and end the times of the present screen. */
  readonly close: () => void;

  constructor(
    private readonly root: HTMLElement,
    private readonly session: FlowSession,
    private readonly environment: Environment,
  ) {
    this.stage = new Stage(root, session.flow, () => environment.isDark(), environment.scroller);
    const unfollow = session.subscribe((state, before) => this.follow(state, before));
    this.close = () => {
      unfollow();
      this.stopTimes();
    };
  }

  /** Show the present screen. `move` is 1 forwards, -1 backwards, and 0 for the first paint, which leaves the focus. */
  show(move: number): void {
    const { session, environment } = this;
    const { flow, logic, screen } = session;
    this.stopTimes();
    if (!screen) {
      this.showEnd();
      return;
    }
    this.isFirst = move === 0;
    const view = this.view(screen);
    this.shown = view;
    const [primary, secondary] = buttons(screen, WORDS);
    const skip = () => this.run(() => session.skip());
    const element = frame(
      {
        step: countOf(flow.screens.slice(0, placeOf(flow, screen.id) + 1)),
        count: countOf(flow.screens),
        share: logic && session.state.progress,
        onBack: session.state.path.length > 1 ? () => environment.back() : null,
        onSkip: screen.settings.skippable === true && screen.settings.required !== true ? skip : null,
        onClose: view.close ? skip : null,
        logo: logo(this.stage.flow.theme, this.stage.isDark(screen)),
      },
      view.content,
      view.hasButtons === false
        ? []
        : [
            actionButton(primary, "primary", (pressed) => this.pressPrimary(view, pressed)),
            secondary && actionButton(secondary, "secondary", (pressed) => this.run(() => session.press(pressed))),
          ],
    );
    const context = this.contextOf(screen);
    arrange(element, context, backgroundOf(context));
    view.mounted?.(element);
    element.addEventListener("click", (event) => this.filter(event), true);
    this.settle(element);
    this.startTimes(element, context, view);
    this.stage.show(element, screen, move);
    if (move !== 0) {
      this.sendThemeStyle();
    }
  }

  /** Show why the present screen stays, at its field. Return false for a screen without a field. */
  fail(message: string): boolean {
    this.shown?.fail?.(message);
    return Boolean(this.shown?.fail);
  }

  /** Show the end of a flow in a browser, which no app closes. */
  showEnd(): void {
    this.stopTimes();
    const content = [h("div", { class: "hero" }, badge("check", "big")), title(WORDS.done), paragraph(WORDS.doneText)];
    const options = { step: 1, count: 1, share: null, onBack: null, onSkip: null, onClose: null, logo: null };
    this.stage.show(frame(options, content, []), this.session.screen, 1);
  }

  /** Take over another colour scheme. The screen stays, with what was typed. */
  repaint(): void {
    const { screen } = this.session;
    this.stage.paint(screen);
    if (screen) {
      repaintPictures(this.root, this.stage.isDark(screen));
    }
    this.sendThemeStyle();
  }

  /** Send the style of the present screen to the app. */
  sendThemeStyle(): void {
    this.environment.bridge.sendThemeStyle(this.stage.style(this.session.screen));
  }

  private follow(state: SessionState, before: SessionState): void {
    if (state.isOver && !before.isOver) {
      this.end(state);
    } else if (state.screenId !== before.screenId) {
      this.show(state.path.length < before.path.length ? -1 : 1);
    }
  }

  private end({ answers, path }: SessionState): void {
    const { bridge, ended } = this.environment;
    const { flow, logic } = this.session;
    // With logic, answers on another path than the last one do not count.
    const screens = logic ? flow.screens.filter(({ id }) => path.includes(id)) : flow.screens;
    if (!bridge.isPresent) {
      this.showEnd();
    }
    bridge.sendAnswers(flow.flowId, responses(screens, answers));
    ended().then(
      (pending) => bridge.close(pending),
      () => bridge.close(),
    );
  }

  /** Start the times of a screen. After Back it has its buttons at once, and stays. */
  private startTimes(element: HTMLElement, { screen, isReturn }: ScreenContext, view: ScreenView): void {
    const { times } = this.environment;
    if (times && !isReturn && !this.isHeld) {
      this.stopTimes = times(element, screen, () => this.session.elapse(isQuestion(screen) ? view.read?.() : null));
    }
  }

  /** Whether the screen is edited, so that it stays, with its buttons. */
  private get isHeld(): boolean {
    return this.isFirst && this.environment.isEdited;
  }

  private get isBlocked(): boolean {
    const { isBusy, isOver } = this.session.state;
    return isBusy || isOver || performance.now() - this.shownAt < SETTLE_MS;
  }

  /** Note that a frame appears. For a moment it takes no presses. */
  private settle(element: HTMLElement): void {
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

  private contextOf(screen: Screen, view?: () => ScreenView): ScreenContext {
    const { session } = this;
    return {
      screen,
      flow: this.stage.flow,
      answer: answerOf(session.state.answers, screen.id),
      hasApp: this.environment.hasApp(),
      language: this.environment.language,
      isDark: () => this.stage.isDark(screen),
      isReturn: session.state.ahead.length > 0,
      goOn: () => {
        if (!this.isHeld) {
          session.press(buttons(screen, WORDS)[0]);
        }
      },
      submit: () => view && this.pressPrimary(view(), buttons(screen, WORDS)[0]),
      press: (button, given) => this.run(() => session.press(button, given)),
    };
  }

  private view(screen: Screen): ScreenView {
    let view: ScreenView;
    const context = this.contextOf(screen, () => view);
    try {
      const views = { ...SCREENS, ...this.environment.screens };
      view = (memberOf(views, screen.type) ?? other)(context);
    } catch (error) {
      // Any screen can be left.
      console.error(error);
      view = other(context);
    }
    return view;
  }

  private pressPrimary(view: ScreenView, button: Button): void {
    if (this.root.querySelector("[data-waiting]")) {
      return;
    }
    this.run(() => {
      const given = isLeaving(button) ? undefined : view.read?.();
      if (given === undefined && view.read && !isLeaving(button)) {
        return;
      }
      const problem = this.session.press(button, given);
      if (problem) {
        view.fail?.(problemText(problem));
      }
    });
  }

  /** Run an action, unless it comes too early or too often. */
  private run(action: () => void): void {
    if (!this.isBlocked) {
      action();
    }
  }
}

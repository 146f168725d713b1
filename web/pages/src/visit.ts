/** One visit of a flow. Its position and answers are in sessionStorage, from its start to its end. */

import { openStore, randomId, readJson, type TextStore } from "./storage";

export interface Answer {
  screenId: string;
  questionText: string;
  questionType: string;
  answerKey: string;
  answer: string | string[];
  unit?: string;
}

interface State {
  sessionId: string;
  isStarted: boolean;
  furthest: number;
  answers: Answer[];
}

/** The stored state of a visit: session id, furthest screen, answers. */
export class Visit {
  private readonly key: string;
  private readonly state: State;
  private isOver = false;

  constructor(
    flowId: string,
    deviceId: string,
    private readonly store: TextStore = openStore(() => sessionStorage),
  ) {
    this.key = `onboarding.visit.${flowId}.${deviceId}`;
    const fresh: State = { sessionId: randomId(), isStarted: false, furthest: 0, answers: [] };
    this.state = { ...fresh, ...readJson<Partial<State>>(store, this.key, {}) };
  }

  get sessionId(): string {
    return this.state.sessionId;
  }

  get furthest(): number {
    return this.state.furthest;
  }

  /** Mark the visit as started. Return true for the first call. */
  start(): boolean {
    const isFirst = !this.state.isStarted;
    this.state.isStarted = true;
    this.save();
    return isFirst;
  }

  /** Record that a screen was shown. */
  reach(index: number): void {
    this.state.furthest = Math.max(this.state.furthest, index);
    this.save();
  }

  answerOf(screenId: string): Answer | undefined {
    return this.state.answers.find((answer) => answer.screenId === screenId);
  }

  setAnswer(answer: Answer): void {
    this.removeAnswer(answer.screenId);
    this.state.answers.push(answer);
    this.save();
  }

  removeAnswer(screenId: string): void {
    this.state.answers = this.state.answers.filter((answer) => answer.screenId !== screenId);
    this.save();
  }

  /** Return the answers as the bridge carries them, in the order of the screens. */
  responses(screenIds: string[]): object[] {
    return screenIds
      .map((id) => this.answerOf(id))
      .filter((answer) => answer !== undefined)
      .map(({ questionText, questionType, answer, screenId, unit }) => ({
        questionText,
        questionType,
        answer,
        screenId,
        ...(unit ? { unit } : {}),
      }));
  }

  /** Delete the state. Nothing is stored afterwards. */
  end(): void {
    this.isOver = true;
    this.store.remove(this.key);
  }

  private save(): void {
    if (!this.isOver) {
      this.store.set(this.key, JSON.stringify(this.state));
    }
  }
}

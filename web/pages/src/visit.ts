/** One visit of a flow: its position and answers survive a reload in sessionStorage, not the end of the visit. */

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

export class Visit {
  private readonly key: string;
  private readonly state: State;

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

  /** Return true for the first call of a visit. */
  start(): boolean {
    const isFirst = !this.state.isStarted;
    this.state.isStarted = true;
    this.save();
    return isFirst;
  }

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

  end(): void {
    this.store.remove(this.key);
  }

  private save(): void {
    this.store.set(this.key, JSON.stringify(this.state));
  }
}

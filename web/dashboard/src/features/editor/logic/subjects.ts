import { answerKey } from "@onboarding/flow/answers";
import { boxes } from "@onboarding/flow/consent";
import { options } from "@onboarding/flow/content";
import { text } from "@onboarding/flow/json";
import { numberLimits, pickerKind } from "@onboarding/flow/pickers";
import { products } from "@onboarding/flow/products";
import { providers } from "@onboarding/flow/signup";
import type { Choice, Subject } from "@/features/audience/subjects";
import { type FlowDocument, type FlowScreen, screenName } from "../document";
import { logicTexts } from "./texts";

export const ANSWERS = "answers.";
export const VARIABLES = "variables.";

const choices = (...values: string[]): Choice[] =>
  values.map((value) => ({ value, label: logicTexts.choices[value] ?? value }));

const optionsOf = ({ content }: FlowScreen): Choice[] => options(content).map(({ value, label }) => ({ value, label }));

/** Return what conditions know of the answer of a screen; null for a screen that asks nothing. */
export function answerSubject(screen: FlowScreen): Subject | null {
  const key = answerKey({ ...screen, showIf: [], next: [] });
  const subject = (kind: Subject["kind"], offered: readonly Choice[] = [], standard?: string): Subject => ({
    attribute: ANSWERS + key,
    label: screenName(screen),
    kind,
    options: offered,
    ...(standard === undefined ? {} : { standard }),
  });
  switch (screen.type) {
    case "question_text":
      return subject("text");
    case "question_single_choice":
      return subject("choice", optionsOf(screen));
    case "question_multiple_choice":
      return subject("choices", optionsOf(screen));
    case "question_picker": {
      const kind = pickerKind(screen.content);
      if (kind === "options") {
        return subject("choice", optionsOf(screen));
      }
      return kind === "date" || kind === "time"
        ? subject(kind)
        : subject("number", [], String(numberLimits(screen.content, kind).value));
    }
    case "permissions":
      return subject("choice", choices("granted", "denied", "asked"));
    case "signup": {
      const names = providers(screen.content, { allow: "", continue: "", continueWith: "", notNow: "" });
      const offered = names.map(({ icon, title }) => ({ value: icon, label: text(title) || icon }));
      return subject("choice", [...choices("email"), ...offered, ...choices("sign_in")]);
    }
    case "paywall":
      return subject("choice", [
        ...products(screen.content).map(({ id, label }) => ({ value: id, label })),
        ...choices("cancelled", "failed"),
      ]);
    case "consent":
      return subject(
        "choices",
        boxes(screen.content).map(({ name, label }) => ({ value: name, label })),
      );
    default:
      return null;
  }
}

/** Return what conditions read of a screen: its answer, or each box of a consent. */
function subjectsOn(screen: FlowScreen): Subject[] {
  if (screen.type === "consent") {
    return boxes(screen.content).map(({ name, label }) => ({
      attribute: ANSWERS + name,
      label,
      kind: "flag",
      options: [],
    }));
  }
  return [answerSubject(screen) ?? []].flat();
}

/** Return the answers of screens and the variables of a flow. The last screen with a key counts. */
function subjectsIn(screens: readonly FlowScreen[], { variables = [] }: FlowDocument): Subject[] {
  const answers = screens.flatMap(subjectsOn);
  const found = new Map(answers.map((subject) => [subject.attribute, subject]));
  const computed = variables.map(
    ({ name }): Subject => ({ attribute: VARIABLES + name, label: name, kind: "any", options: [] }),
  );
  return [...found.values(), ...computed];
}

/** Return what conditions of a screen can read: answers of earlier screens, its own answer for its rules, variables. */
export function subjectsFor(document: FlowDocument, screenId: string, place: "show_if" | "next"): Subject[] {
  const index = document.screens.findIndex(({ id }) => id === screenId);
  return subjectsIn(document.screens.slice(0, place === "next" ? index + 1 : index), document);
}

/** Return all answers and variables of a flow. */
export function allSubjects(document: FlowDocument): Subject[] {
  return subjectsIn(document.screens, document);
}

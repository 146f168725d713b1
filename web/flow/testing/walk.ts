/** Walks of vectors through the engine, for its tests against the oracle in Python. */

import { isQuestion } from "../src/answers";
import { readDocument } from "../src/document";
import { evaluate } from "../src/formulas";
import { givenOf } from "../src/given";
import type { Json } from "../src/json";
import * as logic from "../src/logic";
import { parseFormula, withTrees } from "../src/parser";
import { FlowSession } from "../src/session";
import { valuesOf } from "../src/values";

interface Step {
  do: "answer" | "forward" | "back" | "skip";
  screen?: string;
  value?: unknown;
}

export interface Walk {
  screens: Json[];
  variables?: { name: string; formula: string; tree?: unknown }[];
  context: Json;
  appName?: string;
  language?: string;
  today?: string;
  steps: Step[];
  texts?: string[];
}

const NEXT = { label: "Go", action: "next", url: "" };

/** Take the steps of a walk. Return what there is to see after them. */
export function walk({ screens, variables = [], context, appName, language = "en", today, steps, texts }: Walk) {
  const shown = texts ?? [];
  for (const { formula, tree } of variables) {
    if (tree !== undefined && JSON.stringify(tree) !== JSON.stringify(parseFormula(formula))) {
      throw new Error(`${formula} has two trees`);
    }
  }
  const flow = readDocument({ projectName: appName, screens, variables: withTrees(variables) }, true);
  const views: unknown[] = [];
  const fill: logic.Logic["fill"] = (...given) => logic.fill(...given, language);
  const host = {
    context: { ...context, today },
    logic: { ...logic, fill },
    record: (type: string, members?: Json) => void (type === "screen_viewed" && views.push(members?.properties)),
    ask: () => null,
  };
  let session = new FlowSession(flow, host);
  session.start();
  const shares = [session.state.progress];
  for (const step of steps) {
    const { screen, state } = session;
    if (!screen || state.isOver) {
      shares.push(state.progress);
      continue;
    }
    if (step.do === "answer" && isQuestion(screen)) {
      const problem = session.answer(givenOf(screen, step.value));
      if (problem) {
        throw new Error(`${screen.id}: ${JSON.stringify(problem)}`);
      }
    } else if (step.do === "answer") {
      // The app answers for these screens; a reload must keep it.
      const choices = { ...state.choices, [screen.id]: step.value };
      session = new FlowSession(flow, host, JSON.parse(JSON.stringify({ ...state, choices })) as Json);
    } else if (step.do === "forward") {
      session.press(NEXT);
    } else {
      session[step.do]();
    }
    shares.push(session.state.progress);
  }
  const { state, screen } = session;
  const values = valuesOf(flow, state, host.context);
  const group = (name: string) =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([key]) => key.startsWith(name))
        .map(([key, value]) => [key.slice(name.length), value]),
    );
  const filled = (member: string, text: string) =>
    screen && fill(flow, { ...screen, content: { [member]: text } }, state, host.context).content[member];
  return {
    path: state.path,
    answers: group("answers."),
    variables: group("variables."),
    progress: state.progress,
    ended: state.isOver,
    texts: screen ? shown.map((text) => [filled("title", text), filled("html", text)]) : [],
    views,
    shares,
  };
}

/** Return the value of a formula for values by their names; null if it is missing. */
export function evaluated(formula: string, values: Json, today: string): unknown {
  const tree = parseFormula(formula);
  if (tree === null) {
    throw new Error(`${formula} is not a formula`);
  }
  return evaluate(tree, { ...values, today }) ?? null;
}

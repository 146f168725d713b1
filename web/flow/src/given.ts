/** Answers from the values that conditions know, for tools that answer in place of a user. */

import type { Given } from "./answers";
import type { Screen } from "./document";
import { MONTHS, pickerKind } from "./pickers";

/** Return what a user gives on a question for a value of its answer. */
export function givenOf({ type, content }: Screen, value: unknown): Given {
  if (type === "question_picker") {
    switch (pickerKind(content)) {
      case "date": {
        const [year = "", month, day] = String(value).split("-");
        return { answer: [MONTHS[Number(month) - 1] ?? "", String(Number(day)), String(Number(year))] };
      }
      case "height":
      case "weight":
        return { answer: [String(value)], unit: "metric" };
      default:
        return { answer: [String(value)] };
    }
  }
  return { answer: Array.isArray(value) ? value.map(String) : String(value) };
}

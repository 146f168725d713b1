/** Questions for a text. */

import { number, text } from "@onboarding/flow/json";
import { h, isEnter } from "../dom";
import { ErrorText } from "../frame";
import { question } from "./choices";
import type { ScreenContext, ScreenView } from "./screen";

const LONG_TEXT = 200;
/** Return the view of a question for a text. */
export function textQuestion(context: ScreenContext): ScreenView {
  const { content } = context.screen;
  const maxLength = Math.max(1, number(content.max_length) ?? 500);
  const attributes = {
    class: "field",
    id: "answer",
    "aria-labelledby": "heading",
    placeholder: text(content.placeholder) || null,
    maxlength: maxLength,
    dir: "auto",
    required: content.required === true,
  };
  const isLong = content.multiline === true || (maxLength > LONG_TEXT && content.max_length !== undefined);
  const field = isLong ? h("textarea", { ...attributes, rows: 4 }) : h("input", { ...attributes, type: "text" });
  field.value = text(context.answer?.answer, content.default_value);
  const error = new ErrorText();
  field.addEventListener("input", () => error.show("", [field]));
  field.addEventListener("keydown", (event) => {
    if (isEnter(event) && !isLong) {
      context.submit();
    }
  });
  return {
    content: [...question(context), field, error.element],
    read: () => {
      const value = field.value.trim().slice(0, maxLength);
      return value ? { answer: value } : null;
    },
    fail: (message) => {
      error.show(message, [field]);
      field.focus();
    },
  };
}

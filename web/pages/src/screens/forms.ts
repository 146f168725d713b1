/** Screens with text fields: questions for a text, and sign-up, whose values go to the app alone. */

import { fieldProblem } from "@onboarding/flow/answers";
import { button, fields, heading, items, providers, subtitle } from "@onboarding/flow/content";
import { memberOf, number, text } from "@onboarding/flow/json";
import { h, isEnter } from "../dom";
import { actionButton, ErrorText, paragraph, title } from "../frame";
import { icon } from "../icons";
import { problemText, WORDS } from "../words";
import { question } from "./choices";
import { itemList } from "./information";
import type { ScreenContext, ScreenView } from "./screen";

const LONG_TEXT = 200;
const KINDS: Record<string, [type: string, autocomplete: string]> = {
  email: ["email", "email"],
  phone: ["tel", "tel"],
  tel: ["tel", "tel"],
  name: ["text", "name"],
  first_name: ["text", "given-name"],
  last_name: ["text", "family-name"],
};

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

/** Return the view of a sign-up: providers, and fields if there is an app that gets their texts. */
export function signup(context: ScreenContext): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  const found = fields(content);
  const controls = (context.hasApp ? found : []).map((field) => {
    const [type, autocomplete] = memberOf(KINDS, field.type) ?? ["text", "on"];
    const id = `field-${field.name}`;
    const error = new ErrorText();
    const input = h("input", {
      class: "field",
      id,
      type,
      autocomplete,
      dir: "auto",
      required: field.isRequired,
      input: () => error.show("", [input]),
    });
    return {
      field,
      input,
      error,
      part: h("div", {}, h("label", { for: id, dir: "auto" }, field.label), input, error.element),
    };
  });
  const given = (method: string) => ({
    answer: method,
    fields: Object.fromEntries(controls.map(({ field, input }) => [field.name, input.value.trim()])),
  });
  const providerButtons = providers(content, WORDS).map((provider) => {
    const element = actionButton(button(provider.title, "next"), "outline", (pressed) =>
      context.press(pressed, given(provider.icon)),
    );
    if (provider.icon === "email" || provider.icon === "phone") {
      element.prepend(icon(provider.icon));
    }
    return element;
  });
  const form =
    controls.length > 0 && h("form", { class: "form", novalidate: true }, ...controls.map(({ part }) => part));
  if (form) {
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("keydown", (event) => {
      if (isEnter(event)) {
        event.preventDefault();
        context.submit();
      }
    });
  }
  return {
    content: [
      title(heading(screen), flow.projectName),
      paragraph(subtitle(content)),
      itemList(items(content), "check"),
      form,
      providerButtons.length > 0 && h("div", { class: "ways" }, ...providerButtons),
      paragraph(text(content.legal_text), "legal"),
    ],
    read: () => {
      const wrong = controls.filter(({ field, input, error }) => {
        const problem = fieldProblem(field, input.value.trim());
        error.show(problem ? problemText(problem) : "", [input]);
        return problem !== null;
      });
      wrong[0]?.input.focus();
      const asksApp = found.length > 0 || providerButtons.length > 0;
      return wrong.length > 0 ? undefined : asksApp ? given("email") : null;
    },
  };
}

/** Sign-up: providers and text fields, whose values go to the app alone. */

import { button, heading, items, subtitle } from "@onboarding/flow/content";
import { memberOf, text } from "@onboarding/flow/json";
import { fieldProblem, fields, providers } from "@onboarding/flow/signup";
import { h, isEnter } from "../dom";
import { actionButton, ErrorText, paragraph, title } from "../frame";
import { icon } from "../icons";
import { problemText, WORDS } from "../words";
import { brand } from "./brands";
import { itemList } from "./information";
import type { ScreenContext, ScreenView } from "./screen";

const KINDS: Record<string, [type: string, autocomplete: string]> = {
  email: ["email", "email"],
  phone: ["tel", "tel"],
  tel: ["tel", "tel"],
  name: ["text", "name"],
  first_name: ["text", "given-name"],
  last_name: ["text", "family-name"],
};

/** Return the view of a sign-up: providers, and fields if there is an app that gets their texts. */
export function signup(context: ScreenContext): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  const found = fields(content, WORDS);
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
    const name = provider.icon.toLowerCase();
    if (!brand(element, name, context.isDark) && (name === "email" || name === "phone")) {
      element.prepend(icon(name));
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

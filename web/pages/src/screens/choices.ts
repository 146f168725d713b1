/** Questions with options, as cards for one or several choices. */

import { bounds, heading, isGrid, type Option, options, subtitle } from "@onboarding/flow/content";
import { text } from "@onboarding/flow/json";
import { type Child, h } from "../dom";
import { badge, ErrorText, paragraph, title } from "../frame";
import { icon } from "../icons";
import { SIZES, shownPicture } from "../picture";
import { counted, WORDS } from "../words";
import type { ScreenContext, ScreenView } from "./screen";

/** So long the chosen option is shown before the screen goes on by itself. */
const ADVANCE_MS = 300;

/** Return the view of a question with one choice. */
export function singleChoice(context: ScreenContext): ScreenView {
  const { screen, answer } = context;
  const cards = options(screen.content).map((option) => card("radio", option, [answer?.answer].flat(), "", context));
  const error = new ErrorText();
  const group = h(
    "div",
    {
      class: groupClass(context),
      role: "radiogroup",
      "aria-labelledby": "heading",
      change: () => error.show("", [group]),
    },
    ...cards.map((entry) => entry.label),
  );
  if (screen.settings.auto_advance === true) {
    advanceByChoice(group, context.submit);
  }
  return {
    content: [...question(context), group, error.element],
    read: () => {
      const chosen = cards.find((entry) => entry.input.checked);
      return chosen ? { answer: chosen.option.value } : null;
    },
    fail: (message) => {
      error.show(message, [group]);
      cards[0]?.input.focus();
    },
  };
}

/** Go on when an option is pressed. An arrow key clicks the options that it passes, and sends none of them. */
function advanceByChoice(group: HTMLElement, submit: () => void): void {
  let isArrow = false;
  let timer = 0;
  const goOn = () => group.isConnected && submit();
  group.addEventListener("keydown", ({ key }) => {
    isArrow = key.startsWith("Arrow");
    clearTimeout(timer);
  });
  group.addEventListener("keyup", () => {
    isArrow = false;
  });
  group.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLInputElement) {
      clearTimeout(timer);
      timer = isArrow ? 0 : window.setTimeout(goOn, ADVANCE_MS);
    }
  });
}

/** Return the view of a question with several choices. */
export function multipleChoice(context: ScreenContext): ScreenView {
  const { screen, answer } = context;
  const cards = options(screen.content).map((option) => card("checkbox", option, [answer?.answer].flat(), "", context));
  const inputs = cards.map((entry) => entry.input);
  const { max } = bounds(screen.content, cards.length);
  const error = new ErrorText();
  const count = h("p", { class: "count", role: "status", dir: "auto" });
  const update = () => {
    const chosen = inputs.filter((input) => input.checked).length;
    count.textContent = counted(WORDS.selected, chosen);
    for (const input of inputs) {
      input.disabled = !input.checked && chosen >= max;
    }
    error.show("", inputs);
  };
  update();
  const group = h(
    "div",
    { class: groupClass(context), role: "group", "aria-labelledby": "heading", change: update },
    ...cards.map((entry) => entry.label),
  );
  return {
    content: [
      ...question(context),
      max < cards.length && paragraph(counted(WORDS.chooseAtMost, max), "hint"),
      group,
      cards.length > 0 && count,
      error.element,
    ],
    read: () => {
      const chosen = cards.filter((entry) => entry.input.checked).map((entry) => entry.option.value);
      return chosen.length > 0 ? { answer: chosen } : null;
    },
    fail: (message) => {
      error.show(message, inputs);
      inputs.find((input) => !input.disabled)?.focus();
    },
  };
}

/** Return the heading of a question, and the texts below it. */
export function question({ screen, flow }: ScreenContext): Child[] {
  const { content } = screen;
  return [title(heading(screen), flow.projectName), paragraph(text(content.hint, subtitle(content)), "lead", "hint")];
}

function groupClass({ screen, flow }: ScreenContext): string {
  const isColumns = flow.theme.choice === "image_grid" || isGrid(screen.content, options(screen.content));
  return isColumns ? "cards grid" : "cards choices";
}

/** Return a control in a card, with a picture before its label and a description below it. */
export function card(
  type: "radio" | "checkbox",
  option: Pick<Option, "value" | "label" | "description"> & Partial<Option>,
  chosen: unknown[],
  note = "",
  context?: ScreenContext,
) {
  const input = h("input", { type, name: "choice", value: option.value, checked: chosen.includes(option.value) });
  const { image, emoji, icon: name } = option;
  const label = h(
    "label",
    { class: "card" },
    input,
    image
      ? shownPicture(image, Boolean(context?.isDark()), SIZES.option)
      : emoji
        ? h("span", { class: "emoji", "aria-hidden": "true" }, emoji)
        : name && badge(name),
    h(
      "span",
      { class: "card-text", dir: "auto" },
      h("span", { class: "card-label" }, option.label),
      option.description && h("span", { class: "card-description" }, option.description),
    ),
    note && h("span", { class: "note", dir: "auto" }, note),
    h("span", { class: `mark ${type}` }, icon("check")),
  );
  return { input, label, option };
}

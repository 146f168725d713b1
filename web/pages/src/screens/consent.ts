/** A consent: boxes to tick, of which some are required, and links to what they are about. */

import { boxes } from "@onboarding/flow/consent";
import { heading, subtitle } from "@onboarding/flow/content";
import { h } from "../dom";
import { ErrorText, paragraph, title } from "../frame";
import { icon } from "../icons";
import { image } from "../picture";
import { WORDS } from "../words";
import type { ScreenContext, ScreenView } from "./screen";

/** Return the view of a consent. No box is ticked in advance. */
export function consent(context: ScreenContext): ScreenView {
  const { screen, flow, answer } = context;
  const given = [answer?.answer ?? []].flat();
  const error = new ErrorText();
  const controls = boxes(screen.content).map((box, place) => {
    const input = h("input", {
      type: "checkbox",
      checked: given.includes(box.name),
      required: box.isRequired,
      change: () => error.show("", [input]),
    });
    // A link inside of a label would tick the box.
    const link = /^https:\/\//i.test(box.url) && {
      href: box.url,
      target: "_blank",
      rel: "noopener noreferrer",
      class: "box-link",
      id: `link-${place}`,
      "aria-label": `${WORDS.read}: ${box.label}`,
    };
    const label = h(
      "label",
      { class: "card" },
      input,
      h(
        "span",
        { class: "card-text", dir: "auto" },
        h("span", { class: "card-label" }, box.label),
        box.isRequired && h("span", { class: "card-description" }, WORDS.required),
      ),
      h("span", { class: "mark checkbox" }, icon("check")),
    );
    return { box, input, part: h("div", { class: "box" }, label, link && h("a", link, WORDS.read)) };
  });
  return {
    content: [
      image(context),
      title(heading(screen), flow.projectName),
      paragraph(subtitle(screen.content)),
      controls.length > 0 &&
        h("div", { class: "cards", role: "group", "aria-labelledby": "heading" }, ...controls.map(({ part }) => part)),
      error.element,
    ],
    read: () => ({ answer: controls.filter(({ input }) => input.checked).map(({ box }) => box.name) }),
    fail: (message) => {
      const missing = controls.filter(({ box, input }) => box.isRequired && !input.checked).map(({ input }) => input);
      error.show(message, missing);
      missing[0]?.focus();
    },
  };
}

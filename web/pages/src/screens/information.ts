/** Screens without a question: welcome, feature, permissions, custom, and unknown types. */

import { heading, items, subtitle } from "@onboarding/flow/content";
import { text } from "@onboarding/flow/json";
import { type Child, h } from "../dom";
import { badge, paragraph, title } from "../frame";
import { image } from "../picture";
import { WORDS } from "../words";
import type { ScreenContext, ScreenView } from "./screen";

/** Return the view of a greeting. */
export function welcome(context: ScreenContext): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  return {
    content: [
      image(context),
      title(heading(screen), flow.projectName),
      paragraph(subtitle(content)),
      itemList(items(content)),
    ],
  };
}

/** Return the view of a feature, with the picture above or below its texts. */
export function feature(context: ScreenContext): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  const picturePart = image(context);
  const isBelow = content.image_position === "bottom";
  return {
    content: [
      !isBelow && picturePart,
      title(heading(screen), flow.projectName),
      paragraph(text(content.description, subtitle(content))),
      itemList(items(content)),
      isBelow && picturePart,
    ],
  };
}

/** Return the view of a request for a permission. */
export function permissions(context: ScreenContext): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  return {
    content: [
      h("div", { class: "hero" }, image(context) ?? badge(text(content.icon, content.permission), "big")),
      title(heading(screen), flow.projectName),
      paragraph(text(content.description, subtitle(content))),
    ],
  };
}

/** Return the view of sanitised HTML; without HTML, that of an unknown type. */
export function custom(context: ScreenContext): ScreenView {
  const html = text(context.screen.content.html);
  if (!html) {
    return other(context);
  }
  const part = h("div", { class: "html", dir: "auto" });
  // The publisher has sanitised it, and the content security policy allows neither scripts nor styles of its own.
  part.innerHTML = html;
  const found = part.querySelector("h1");
  if (found) {
    found.id = "heading";
    found.tabIndex = -1;
  }
  for (const picture of part.querySelectorAll("img:not([alt])")) {
    picture.setAttribute("alt", "");
  }
  for (const link of part.querySelectorAll("a")) {
    link.target = "_blank";
  }
  return { content: [!found && title(heading(context.screen), context.flow.projectName), part] };
}

/** Return the view of an unknown type: picture, texts and items. */
export function other(context: ScreenContext): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  const parts = [paragraph(text(subtitle(content), content.body)), itemList(items(content))];
  const shown = image(context);
  const isEmpty = !shown && !parts.some(Boolean);
  return { content: [shown, title(heading(screen) || (isEmpty ? WORDS.empty : ""), flow.projectName), ...parts] };
}

/** Return a list of items with icons, or false without items. */
export function itemList(entries: ReturnType<typeof items>, fallbackIcon = "spark"): Child {
  return (
    entries.length > 0 &&
    h(
      "ul",
      { class: "items" },
      ...entries.map((item) =>
        h(
          "li",
          {},
          badge(item.icon || fallbackIcon),
          h(
            "div",
            { dir: "auto" },
            item.title && h("p", { class: "item-title" }, item.title),
            item.description && h("p", { class: "item-text" }, item.description),
          ),
        ),
      ),
    )
  );
}

/** Two columns of points, of which the second one is better. */

import { columns } from "@onboarding/flow/columns";
import type { Json } from "@onboarding/flow/json";
import { type Child, h } from "../dom";
import { icon } from "../icons";

/** Return the columns beside each other, or false without columns. */
export function versus(content: Json): Child {
  const shown = columns(content);
  return (
    shown.length > 0 &&
    h(
      "div",
      { class: "versus" },
      ...shown.map((column, place) =>
        h(
          "section",
          {},
          column.title && h("h2", { dir: "auto" }, column.title),
          h(
            "ul",
            {},
            ...column.points.map((point) =>
              h(
                "li",
                {},
                place === 0 ? h("span", { class: "dash", "aria-hidden": "true" }, "–") : icon("check"),
                h("span", { dir: "auto" }, point),
              ),
            ),
          ),
        ),
      ),
    )
  );
}

import { describe, expect, it } from "vitest";
import { pseudo, pseudoContent } from "./pseudo";

const NAME = "{{answers.name:title|you}}";

describe("a pseudo-locale", () => {
  it("makes texts longer, with accents and brackets, and keeps variables", () => {
    expect(pseudo(`Hello ${NAME}!`, "en-XA")).toMatch(/^\[Ĥéļļö \{\{answers\.name:title\|you\}\}! one two .*\]$/);
    expect(pseudo("Yes", "en-XA")).toBe("[Ýéš o]");
    expect(pseudo("", "en-XA")).toBe("");
  });

  it("mirrors words, and keeps variables", () => {
    expect(pseudo(`Hi ${NAME}`, "ar-XB")).toBe(`\u202eHi\u202c ${NAME}`);
  });

  it("keeps tags of HTML", () => {
    expect(pseudo('<a href="https://x.org">Go &amp; see</a>', "en-XA", true)).toBe(
      '<a href="https://x.org">Ĝö &amp; šéé</a>',
    );
  });

  it("changes the texts of a content, and neither values nor addresses nor known words", () => {
    const content = {
      title: "A",
      image_url: "https://example.com/a.png",
      layout: "cards",
      background: { type: "gradient", colors: ["#ffffff", "#000000"] },
      options: ["Tea", { value: "milk", label: "Milk", icon: "cup" }],
      fields: [{ name: "email", type: "email", label: "Mail" }],
    };
    expect(pseudoContent(content, "en-XA")).toEqual({
      ...content,
      title: "[Å]",
      options: [
        { value: "Tea", label: "[Ţéå o]" },
        { value: "milk", label: "[Ṁîļķ o]", icon: "cup" },
      ],
      fields: [{ name: "email", type: "email", label: "[Ṁåîļ o]" }],
    });
  });
});

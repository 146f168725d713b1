import { describe, expect, it } from "vitest";
import { languageTag } from "./locale";

describe("a language tag", () => {
  it("is the longest beginning of a text that Intl takes", () => {
    for (const [wanted, tag] of [
      ["ar-EG", "ar-EG"],
      ["pt_BR", "pt-BR"],
      ["no_NO_NY", "no-NO"],
      ["zh-cmn", "zh"],
      ["en-US-US", "en-US"],
      ["de-", "de"],
      ["<script>", ""],
      ["", ""],
      ["_", ""],
    ] as const) {
      expect([wanted, languageTag(wanted)]).toEqual([wanted, tag]);
      expect(() => new Intl.DateTimeFormat(tag || "en")).not.toThrow();
    }
  });
});

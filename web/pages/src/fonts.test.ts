import { expect, it } from "vitest";
import { rulesOf } from "./fonts";

it("has no rules without a font, and a stand-in where the metrics are known", () => {
  expect(rulesOf("theme-font", {})).toEqual([]);
  const url = "/media/proj/a.woff2";
  expect(rulesOf("theme-font", { url, weight: 700 })).toEqual([
    '@font-face{font-family:theme-font;src:url("/media/proj/a.woff2") format("woff2");font-weight:700;font-display:swap}',
  ]);
  const metrics = { weights: [100, 900], size: 1.05, ascent: 0.9, descent: 0.25, line_gap: 0 };
  const [own = "", standIn = ""] = rulesOf("theme-font", { url, weight: 400, metrics });
  expect(own).toContain("font-weight:100 900;");
  expect(standIn).toContain("font-family:theme-font-fallback;");
  expect(standIn).toContain(
    "size-adjust:105.00%;ascent-override:90.00%;descent-override:25.00%;line-gap-override:0.00%",
  );
});

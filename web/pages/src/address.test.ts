import { describe, expect, it } from "vitest";
import { pathOf, placeIn, readAddress } from "./address";
import { applyLocale } from "./locale";

describe("the address of a page", () => {
  it("has the base with the ticket, also behind a path", () => {
    const query = "?deviceId=d1&locale=ar&platform=ios&x=y";
    const { context, ...address } = readAddress("/onboarding-service/s/ticket/onboarding/flow_1/3", query, "flow_1");
    expect(String(context)).toBe("platform=ios&locale=ar");
    expect(address).toEqual({
      base: "/onboarding-service/s/ticket",
      flowId: "flow_1",
      deviceId: "d1",
      locale: "ar",
      talks: false,
    });
    expect(["/s/t/onboarding/f/3", "/s/t/onboarding/f/0/", "/s/t/onboarding/f"].map(placeIn)).toEqual([2, 0, 0]);
    expect(pathOf({ ...address, context }, 0)).toBe("/onboarding-service/s/ticket/onboarding/flow_1/1");
  });

  it("gets a device of the browser's own where it names none, always the same", () => {
    const [first, second] = ["", "?deviceId=%20"].map(
      (query) => readAddress("/s/t/onboarding/f/1", query, "f").deviceId,
    );
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });
});

describe("the language", () => {
  it("is the wanted one if it is a language", () => {
    for (const [wanted, lang, dir] of [
      ["ar-EG", "ar-EG", "rtl"],
      ["pt_BR", "pt-BR", "ltr"],
      ["<script>", navigator.language, "ltr"],
      [null, navigator.language, "ltr"],
    ] as const) {
      applyLocale(wanted);
      expect([document.documentElement.lang, document.documentElement.dir]).toEqual([lang, dir]);
    }
  });
});

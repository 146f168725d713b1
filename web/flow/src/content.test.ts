import { describe, expect, it } from "vitest";
import { bounds, buttons, heading, items, options, picture } from "./content";
import { readDocument, type Screen } from "./document";
import type { Json } from "./json";
import { products } from "./products";
import { fields, providers } from "./signup";

const LABELS = { allow: "Allow", continue: "Continue", continueWith: "Continue with {0}", notNow: "Not now" };

function screen(content: Json, type = "welcome"): Screen {
  return { id: "s1", type, content, settings: {}, showIf: [], next: [] };
}

describe("content", () => {
  it("has buttons as objects and as labels, and one to go on where there is none", () => {
    const next = { label: "Go", action: "next", url: "" };
    expect(buttons(screen({ primary_button: { label: "Go", action: "submit" } }), LABELS)).toEqual([
      { ...next, action: "submit" },
      null,
    ]);
    expect(buttons(screen({ button_text: "Go", secondary_button: "Later" }), LABELS)).toEqual([
      next,
      { ...next, label: "Later" },
    ]);
    expect(buttons(screen({ primary_button: { label: "Go", url: "https://a.example" } }), LABELS)[0].action).toBe(
      "open_url",
    );
    expect(buttons(screen({}), LABELS)[0]).toMatchObject({ label: "Continue", action: "next" });
    expect(buttons(screen({}, "permissions"), LABELS)).toMatchObject([
      { action: "request_permission" },
      { action: "next" },
    ]);
  });

  it("has options as objects and as labels; the answer is the value", () => {
    const given = ["Plain", { value: "a", label: "Art" }, { label: "No value" }, { value: 7 }, {}, null];
    expect(options({ options: given }).map(({ value, label }) => [value, label])).toEqual([
      ["Plain", "Plain"],
      ["a", "Art"],
      ["No value", "No value"],
      ["7", "7"],
    ]);
  });

  it("has items by each of their names", () => {
    for (const name of ["items", "features", "benefits"]) {
      expect(items({ [name]: ["One", { icon: "bell", title: "Two" }, 3, []] }).map(({ title }) => title)).toEqual([
        "One",
        "Two",
        "3",
      ]);
    }
  });

  it("has one preselected product", () => {
    const chosen = (given: unknown[]) => products({ products: given }).map(({ isPreselected }) => isPreselected);
    expect(chosen(["Yearly", "Monthly"])).toEqual([true, false]);
    expect(chosen(["Yearly", { product_id: "m", is_preselected: true }])).toEqual([false, true]);
    expect(products({ products: [{ product_id: "y" }] })[0]).toMatchObject({ id: "y", label: "y" });
  });

  it("never has a field for a password", () => {
    const given = [
      "email",
      "password",
      { name: "secret", type: "PASSWORD" },
      { name: "new_password" },
      { name: "pin" },
      { name: "p", label: "Password" },
    ];
    expect(fields({ fields: given }).map(({ name, label }) => [name, label])).toEqual([["email", "Email"]]);
  });

  it("has providers with a label", () => {
    expect(
      providers({ providers: ["apple", { provider: "google", label: "Google" }] }, LABELS).map(({ title }) => title),
    ).toEqual(["Continue with Apple", "Google"]);
  });

  it("has the words of a language for an email address and a phone", () => {
    const turkish = { ...LABELS, continueWith: "{0} ile devam et", emailName: "e-posta", phoneName: "telefon" };
    expect(providers({ providers: ["Email", "phone"] }, turkish).map(({ title }) => title)).toEqual([
      "E-posta ile devam et",
      "Telefon ile devam et",
    ]);
    expect(fields({ fields: ["email", "nick_name"] }, turkish).map(({ label }) => label)).toEqual([
      "E-posta",
      "Nick name",
    ]);
  });

  it("has pictures of https, of data and of the illustrations alone", () => {
    const flow = readDocument({ assets: { illustrations: { welcome: "/welcome.svg" } } });
    const shown = (content: Json) => picture(screen(content), flow)?.url;
    expect(shown({ image_url: "https://a.example/a.png" })).toBe("https://a.example/a.png");
    expect(shown({ image_url: null, illustration: "welcome" })).toBe("/welcome.svg");
    for (const address of ["http://a.example/a.png", "javascript:alert(1)", "data:text/html,x", "constructor"]) {
      expect(shown({ image_url: address })).toBeUndefined();
    }
  });

  it("has files of the media library with their sizes, and with the file of dark pages", () => {
    const file = { url: "../media/p/a.jpg", srcset: [{ url: "../media/p/b.webp", width: 480 }], alt: "Shop", width: 8 };
    const image = { ...file, focal_point: { x: 0.25, y: 1 }, dark: { url: "../media/p/c.jpg", dark: 7 } };
    const shown = picture(screen({ image }), readDocument({}));
    expect(shown).toMatchObject({ url: file.url, srcset: "../media/p/b.webp 480w", alt: "Shop", width: 8 });
    expect(shown).toMatchObject({ position: "25% 100%", dark: { url: "../media/p/c.jpg", srcset: "", dark: null } });
    expect(picture(screen({ image: { media_id: "media_1" } }), readDocument({}))).toBeNull();
  });

  it("needs no more choices than there are", () => {
    expect(bounds({ min_selected: 9, max_selected: 2 }, 4)).toEqual({ min: 2, max: 2 });
    expect(bounds({ max_selected: null }, 4)).toEqual({ min: 0, max: 4 });
    expect(bounds({ required: true, max_selected: -1 }, 4)).toEqual({ min: 1, max: 1 });
  });

  it("has the name of the project in all texts, and as a text in HTML", () => {
    const content = { title: "Hi {{ app_name }}", options: ["{{app_name}}"], html: "<p>{{app_name}}</p>" };
    const [read] = readDocument({ projectName: "R&<b>$&</b>", screens: [{ content }] }).screens;
    expect(heading(read as Screen)).toBe("Hi R&<b>$&</b>");
    expect(read?.content.options).toEqual(["R&<b>$&</b>"]);
    expect(read?.content.html).toBe("<p>R&#38;&#60;b&#62;$&#38;&#60;/b&#62;</p>");
  });

  it("reads any value as a document", () => {
    for (const value of [null, 1, "x", [], { screens: 3 }, { screens: [null, 1, { content: [] }] }]) {
      expect(() => readDocument(value).screens.map((entry) => buttons(entry, LABELS))).not.toThrow();
    }
  });
});

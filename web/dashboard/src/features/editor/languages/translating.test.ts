import { expect, test } from "vitest";
import { draftServiceDocument } from "@/testing/draftService";
import { copyOfScreen, type FlowScreen } from "../document";
import { withoutRefused } from "./refused";
import { inLanguage, textsOf } from "./translating";

const LOCALES = ["en", "pt", "pt-BR"];
const document = draftServiceDocument({
  title: "Hello",
  options: [
    { value: "a/b", label: "One" },
    { value: "c", label: "Two" },
  ],
});
const screen = {
  ...(document.screens[0] as FlowScreen),
  localizations: {
    pt: { "/title": { text: "Olá", source: "Hello" }, "/options/a~1b/label": { text: "Um", source: "Former" } },
    "pt-BR": { "/title": { text: "Oi", source: "Hello" }, "/gone": { text: "x", source: "y" } },
    fr: { "/title": { text: "Bonjour", source: "Hello" } },
  },
};

test("texts have the states of the service, and a pointer to nothing has no text", () => {
  const pointers = ["/title", "/options/a~1b/label", "/options/c/label", "/gone"];
  expect(textsOf(screen, "pt", pointers).map(({ base, text, state }) => [base, text, state])).toEqual([
    ["Hello", "Olá", "done"],
    ["One", "Um", "outdated"],
    ["Two", "", "missing"],
  ]);
});

test("document in a language has its texts, then those of shorter tags, then the base", () => {
  const [shown] = inLanguage({ ...document, screens: [screen] }, "pt-BR", LOCALES).screens;
  expect(shown).not.toHaveProperty("localizations");
  expect(shown?.content).toMatchObject({ title: "Oi", options: [{ label: "Um" }, { label: "Two" }] });
});

test("copied screen has the translations that the service takes", () => {
  const { pt } = screen.localizations;
  const copy = copyOfScreen({ ...document, screens: [screen] }, screen, LOCALES);
  expect(copy.localizations).toEqual({ pt, "pt-BR": { "/title": { text: "Oi", source: "Hello" } } });
});

test("screen that undo brings back is saved without the translations that the service refuses", () => {
  const refused = (field: string) => ({
    field: `document.screens.0.${field}`,
    code: "INVALID_PARAMETER" as const,
    message: "",
  });
  const details = [refused("localizations.fr./title"), refused("localizations.pt-BR./gone")];
  const undone = { ...document, screens: [screen] };
  const saved = withoutRefused(undone, details, { ...document, screens: [] });
  expect(saved?.screens[0]?.localizations).toEqual({
    ...{ fr: {}, pt: screen.localizations.pt },
    "pt-BR": { "/title": { text: "Oi", source: "Hello" } },
  });
  expect(undone.screens[0]?.localizations?.fr).toHaveProperty("/title");
  expect(withoutRefused(undone, details, undone)).toBeNull();
  expect(withoutRefused(undone, [...details, refused("content.title")], { ...document, screens: [] })).toBeNull();
});

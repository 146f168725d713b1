import { afterEach, expect, test, vi } from "vitest";
import type { ThemeView } from "@/api/schema";
import { valuesOf } from "./style";
import { lookChanges, undoOf } from "./themeChanges";

afterEach(() => vi.unstubAllGlobals());

const THEME = {
  id: "theme_1",
  name: "Sunrise",
  description: null,
  is_default: false,
  colors: { primary: "#112233" },
  typography: {},
  borderRadius: {},
} as unknown as ThemeView;

test("look of a theme changes by its values, not by its name", () => {
  const values = { ...valuesOf(THEME), name: "Sunset", headingSize: 32 };
  values.colors = { ...values.colors, primary: "#445566" };
  expect(lookChanges(THEME, values)).toEqual([
    "Buttons and accents: from #112233 to #445566",
    "Size of headings: from the standard to 32",
  ]);
});

test("undo of a new default theme keeps a default until the former one is back, and a later default", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { is_default } = await request.json();
    sent.push([new URL(request.url).pathname, is_default, request.headers.get("If-Match")].join(" "));
    return Response.json({ success: true, data: THEME }, { headers: { ETag: '"undone"' } });
  });
  const saved = { data: { ...THEME, is_default: true }, etag: '"saved"' };
  await expect(undoOf(THEME, saved, "theme_2", async () => "theme_3")()).rejects.toMatchObject({ status: 412 });
  expect(sent).toEqual([]);
  await undoOf(THEME, saved, "theme_2", async () => "theme_1")();
  expect(sent).toEqual(['/api/themes/theme_1 true "saved"', "/api/themes/theme_2 true "]);
});

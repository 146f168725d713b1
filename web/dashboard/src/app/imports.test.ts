import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>(["/src/**/*.{ts,tsx}", "!/src/**/*.test.*", "!/src/testing/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const IMPORT = /(?:from|import\()\s*"(@\/[^"]+)"/g;

/** Return the feature of a path below `/src/`, or its first folder. */
const areaOf = (path: string) => /^(?:features\/)?([^/]+)/.exec(path)?.[1] ?? path;

/** Return the areas that each area imports. */
function importsOfAreas(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [file, source] of Object.entries(SOURCES)) {
    const area = areaOf(file.slice("/src/".length));
    const targets = found.get(area) ?? found.set(area, new Set()).get(area);
    for (const [, path = ""] of source.matchAll(IMPORT)) {
      targets?.add(areaOf(path.slice("@/".length)));
    }
    targets?.delete(area);
  }
  return found;
}

test("areas and features form no import cycle", () => {
  let left = importsOfAreas();
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const imported = new Set([...left.values()].flatMap((targets) => [...targets]));
    // An area that imports nothing of the others, or that none of them imports, is in no cycle.
    const rest = [...left].filter(([area, targets]) => targets.size > 0 && imported.has(area));
    const names = new Set(rest.map(([area]) => area));
    left = new Map(rest.map(([area, targets]) => [area, new Set([...targets].filter((target) => names.has(target)))]));
  }
  expect(left).toEqual(new Map());
});

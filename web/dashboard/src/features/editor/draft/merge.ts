import type { FlowDocument, FlowScreen } from "../document";

export type Side = "mine" | "theirs";

/** A merged document; `overlaps` are the places that both sides have changed, such as `screen_1/content/title`. */
export interface Merge<Document = FlowDocument> {
  document: Document;
  overlaps: readonly string[];
}

/**
 * Merges the document that the service has, `theirs`, into the edited one, `mine`. `base` is the last document that both
 * sides had. `own` are further documents that this editor has sent: their values are no changes of another person.
 * Where both sides changed one place, `prefer` wins.
 */
export type Merger<Document> = (
  base: Document,
  mine: Document,
  theirs: Document,
  own?: readonly Document[],
  prefer?: Side,
) => Merge<Document>;

type Members = Record<string, unknown>;
type Variable = NonNullable<FlowDocument["variables"]>[number];

/** Merge the members of objects. Places that both sides have changed are added to `overlaps`. */
function mergeMembers(
  path: string,
  before: readonly Members[],
  first: Members,
  second: Members,
  prefer: Side,
  overlaps: string[],
): Members {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  const merged: Members = {};
  for (const name of names) {
    const [my, their] = [first[name], second[name]];
    let value = my;
    if (!isSame(my, their) && !before.some((known) => isSame(known[name], their))) {
      if (isSame(my, before[0]?.[name])) {
        value = their;
      } else {
        overlaps.push(path + name);
        value = prefer === "mine" ? my : their;
      }
    }
    if (value !== undefined) {
      merged[name] = value;
    }
  }
  return merged;
}

/** Return a merger of documents without lists: members of the objects in `groups` are the smallest places. */
export function mergerOf<Document extends object>(groups: readonly (keyof Document & string)[]): Merger<Document> {
  return (base, mine, theirs, own = [], prefer = "mine") => {
    const overlaps: string[] = [];
    const merge = (path: string, part: (document: Document) => Members) =>
      mergeMembers(path, [base, ...own].map(part), part(mine), part(theirs), prefer, overlaps);
    const alone = merge("", (document) => ({ ...document, ...Object.fromEntries(groups.map((name) => [name, null])) }));
    const parts = groups.map((name) => [name, merge(`${name}/`, (document) => (document[name] ?? {}) as Members)]);
    return oneOf(mine, theirs, { ...alone, ...Object.fromEntries(parts) } as Document, overlaps);
  };
}

/** Return a result: the documents themselves where nothing is new, so that identity tells what has to be saved. */
function oneOf<Document>(mine: Document, theirs: Document, document: Document, overlaps: string[]): Merge<Document> {
  return { document: [theirs, mine].find((one) => isSame(one, document)) ?? document, overlaps };
}

/** Return translations by their locale with the pointer, as `de/title`. */
export function translations(localizations: FlowScreen["localizations"] = {}): Members {
  const texts = Object.entries(localizations).flatMap(([locale, inner]) =>
    Object.entries(inner).map(([pointer, translation]) => [locale + pointer, translation]),
  );
  return Object.fromEntries(texts);
}

function byLocale(texts: Members): Members {
  const localizations: Record<string, Members> = {};
  for (const [key, translation] of Object.entries(texts)) {
    const [locale = ""] = key.split("/", 1);
    localizations[locale] = { ...localizations[locale], [key.slice(locale.length)]: translation };
  }
  return localizations;
}

/**
 * Merge documents of a flow: members of contents, translations and formulas of variables are the smallest places.
 */
export const merge: Merger<FlowDocument> = (base, mine, theirs, own = [], prefer = "mine") => {
  const bases = [base, ...own];
  const overlaps: string[] = [];
  const members = (path: string, before: readonly Members[], first: Members, second: Members) =>
    mergeMembers(path, before, first, second, prefer, overlaps);
  const screen = (path: string, before: readonly FlowScreen[], my: FlowScreen, their: FlowScreen): FlowScreen => {
    const part = (name: "content" | "settings") =>
      members(
        `${path}${name}/`,
        before.map((known) => known[name]),
        my[name],
        their[name],
      );
    const { content: _, settings: __, localizations: mine, ...first } = my;
    const { content: ___, settings: ____, localizations: theirs, ...second } = their;
    const rest = members(path, before as unknown as Members[], first, second);
    const known = before.map(({ localizations }) => translations(localizations));
    const texts = members(`${path}localizations/`, known, translations(mine), translations(theirs));
    const localizations = Object.keys(texts).length > 0 && { localizations: byLocale(texts) };
    return { ...rest, content: part("content"), settings: part("settings"), ...localizations } as FlowScreen;
  };
  const variable = (path: string, before: readonly Variable[], my: Variable, their: Variable): Variable =>
    members(path, before as unknown as Members[], { ...my }, { ...their }) as unknown as Variable;

  /** Merge lists whose entries have keys; `both` merges an entry that both sides have. */
  const entries = <Entry>(
    list: string,
    read: (document: FlowDocument) => readonly Entry[],
    keyOf: (entry: Entry) => string,
    both: (path: string, before: readonly Entry[], my: Entry, their: Entry) => Entry,
  ): Entry[] => {
    const find = (document: FlowDocument, key: string) => read(document).find((entry) => keyOf(entry) === key);
    const one = (key: string): Entry | undefined => {
      const before = bases.flatMap((document) => find(document, key) ?? []);
      const [my, their] = [find(mine, key), find(theirs, key)];
      if (my && their) {
        return both(`${key}/`, before, my, their);
      }
      const old = find(base, key);
      if (my && (old === undefined || isSame(old, my))) {
        return old === undefined ? my : undefined;
      }
      if (!my && (before.length === 0 || before.some((known) => isSame(known, their)))) {
        return before.length === 0 ? their : undefined;
      }
      // One side has removed what the other has changed.
      overlaps.push(key);
      return prefer === "mine" ? my : their;
    };
    const orders = (documents: readonly FlowDocument[]) => documents.map((document) => read(document).map(keyOf));
    const [[first = [], second = []], known] = [orders([mine, theirs]), orders(bases)];
    return orderOf(known, first, second, prefer, () => overlaps.push(list)).flatMap((key) => one(key) ?? []);
  };

  const flow = (document: FlowDocument): Members => {
    const { screens: _, variables: __, targeting, ...rest } = document;
    return { ...rest, percentage: targeting.percentage, conditions: targeting.conditions };
  };
  const { percentage, conditions, ...rest } = members("", bases.map(flow), flow(mine), flow(theirs));
  const variables = entries("variables", variablesOf, ({ name }) => name, variable);
  const screens = entries(
    "screens",
    (document) => document.screens,
    ({ id }) => id,
    screen,
  );
  const targeting = { percentage, conditions };
  const document = { ...rest, targeting, ...(variables.length > 0 && { variables }), screens } as FlowDocument;
  return oneOf(mine, theirs, document, overlaps);
};

/** Return all keys: in the order of the side that has moved entries, with the keys of the other side between. */
function orderOf(
  bases: readonly (readonly string[])[],
  mine: readonly string[],
  theirs: readonly string[],
  prefer: Side,
  onOverlap: () => void,
): string[] {
  const hasMoved = (keys: readonly string[], before: readonly (readonly string[])[]) =>
    !before.some((known) => isSameOrder(keys, known));
  const theyMoved = hasMoved(theirs, bases);
  let isMine = !theyMoved;
  if (theyMoved && hasMoved(mine, bases.slice(0, 1)) && !isSameOrder(mine, theirs)) {
    onOverlap();
    isMine = prefer === "mine";
  }
  const [lead, other] = isMine ? [mine, theirs] : [theirs, mine];
  const merged = [...lead];
  for (const [place, key] of other.entries()) {
    if (!merged.includes(key)) {
      const before = other.slice(0, place).findLast((known) => merged.includes(known));
      merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, key);
    }
  }
  return merged;
}

/** Return whether the keys that both lists have stand in the same order. */
function isSameOrder(first: readonly string[], second: readonly string[]): boolean {
  return isSame(
    first.filter((key) => second.includes(key)),
    second.filter((key) => first.includes(key)),
  );
}

function variablesOf({ variables }: FlowDocument): readonly Variable[] {
  return variables ?? [];
}

/** Return whether two values are the same JSON; the order of members does not count. */
export function isSame(first: unknown, second: unknown): boolean {
  if (first === second) {
    return true;
  }
  if (typeof first !== "object" || typeof second !== "object" || first === null || second === null) {
    return false;
  }
  const [a, b] = [first as Members, second as Members];
  const names = Object.keys(a);
  return (
    Array.isArray(first) === Array.isArray(second) &&
    names.length === Object.keys(b).length &&
    names.every((name) => name in b && isSame(a[name], b[name]))
  );
}

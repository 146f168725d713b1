import type { FlowDocument, FlowScreen } from "../document";

export type Side = "mine" | "theirs";

/** A merged document; `overlaps` are the places that both sides have changed, such as `screen_1/content/title`. */
export interface Merge {
  document: FlowDocument;
  overlaps: readonly string[];
}

type Members = Record<string, unknown>;

/**
 * Merge the document that the service has, `theirs`, into the edited one, `mine`. `base` is the last document that both
 * sides had. `own` are further documents that this editor has sent: their values are no changes of another person.
 * Members of contents are the smallest places. Where both sides changed one, `prefer` wins.
 */
export function merge(
  base: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
  own: readonly FlowDocument[] = [],
  prefer: Side = "mine",
): Merge {
  const bases = [base, ...own];
  const overlaps: string[] = [];
  const members = (path: string, before: readonly Members[], first: Members, second: Members): Members => {
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
  };
  const screen = (id: string): FlowScreen | undefined => {
    const before = bases.flatMap((document) => screenOf(document, id) ?? []);
    const [my, their] = [screenOf(mine, id), screenOf(theirs, id)];
    if (my && their) {
      const part = (name: "content" | "settings") =>
        members(
          `${id}/${name}/`,
          before.map((known) => known[name]),
          my[name],
          their[name],
        );
      const { content: _, settings: __, ...first } = my;
      const { content: ___, settings: ____, ...second } = their;
      const rest = members(`${id}/`, before as unknown as Members[], first, second);
      return { ...rest, content: part("content"), settings: part("settings") } as FlowScreen;
    }
    const old = screenOf(base, id);
    if (my && (old === undefined || isSame(old, my))) {
      return old === undefined ? my : undefined;
    }
    if (!my && (before.length === 0 || before.some((known) => isSame(known, their)))) {
      return before.length === 0 ? their : undefined;
    }
    // One side has removed what the other has changed.
    overlaps.push(id);
    return prefer === "mine" ? my : their;
  };

  const flow = (document: FlowDocument): Members => {
    const { screens: _, targeting, ...rest } = document;
    return { ...rest, percentage: targeting.percentage, conditions: targeting.conditions };
  };
  const { percentage, conditions, ...rest } = members("", bases.map(flow), flow(mine), flow(theirs));
  const screens = orderOf(bases, mine, theirs, prefer, overlaps).flatMap((id) => screen(id) ?? []);
  const targeting = { percentage, conditions };
  const document = { ...rest, targeting, screens } as FlowDocument;
  // The documents themselves where nothing is new, so that identity tells what has to be saved.
  return { document: [theirs, mine].find((one) => isSame(one, document)) ?? document, overlaps };
}

/** Return the ids of all screens: in the order of the side that has moved screens, with those of the other between. */
function orderOf(
  bases: readonly FlowDocument[],
  mine: FlowDocument,
  theirs: FlowDocument,
  prefer: Side,
  overlaps: string[],
): string[] {
  const hasMoved = (document: FlowDocument, before: readonly FlowDocument[]) =>
    !before.some((known) => isSameOrder(document, known));
  const theyMoved = hasMoved(theirs, bases);
  let isMine = !theyMoved;
  if (theyMoved && hasMoved(mine, bases.slice(0, 1)) && !isSameOrder(mine, theirs)) {
    overlaps.push("screens");
    isMine = prefer === "mine";
  }
  const [lead, other] = (isMine ? [mine, theirs] : [theirs, mine]).map(idsOf) as [string[], string[]];
  const merged = [...lead];
  for (const [place, id] of other.entries()) {
    if (!merged.includes(id)) {
      const before = other.slice(0, place).findLast((known) => merged.includes(known));
      merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id);
    }
  }
  return merged;
}

/** Return whether the screens that both documents have stand in the same order. */
function isSameOrder(first: FlowDocument, second: FlowDocument): boolean {
  const [a, b] = [idsOf(first), idsOf(second)];
  return isSame(
    a.filter((id) => b.includes(id)),
    b.filter((id) => a.includes(id)),
  );
}

function idsOf(document: FlowDocument): string[] {
  return document.screens.map(({ id }) => id);
}

function screenOf(document: FlowDocument, id: string): FlowScreen | undefined {
  return document.screens.find((screen) => screen.id === id);
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

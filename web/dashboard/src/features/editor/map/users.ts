/** The users of a flow on the arrows of its map, and their loss on its screens. */

import type { PathLinkView, PathsView } from "@/api/schema";
import { END } from "../logic/rules";

/** The start of a flow, in place of a screen. */
export const START = "start";
/** The target of the link of users who neither saw a later screen nor completed the flow. */
const LEFT = "left";

/** Users, and their share of the users who come from the same screen. */
export interface UserShare {
  users: number;
  share: number;
}

export interface FlowUsers {
  /** Users who started the live flow. */
  started: number;
  /** Those of them whose pages and SDKs do not tell their way. */
  untold: number;
  /** Users on links that no arrow of this version is for, such as those of former rules. */
  elsewhere: number;
  /** By the ids of arrows. */
  arrows: ReadonlyMap<string, UserShare>;
  /** Users who left, by screen. */
  lost: ReadonlyMap<string, UserShare>;
}

/** An arrow of the map. */
interface Way {
  id: string;
  from: string;
  to: string;
  kind: string;
  rule: string | null;
}

type Links = Pick<PathsView, "started" | "links">;

const sourceOf = (link: PathLinkView): string => link.from_screen_id ?? START;

/** Return the users of each source of links. */
function totalsOf(links: readonly PathLinkView[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const link of links) {
    totals.set(sourceOf(link), (totals.get(sourceOf(link)) ?? 0) + link.users);
  }
  return totals;
}

/** Return the users on the arrows of a map. A link of an unknown rule counts for the arrow without one, if there is one. */
export function usersOf({ arrows }: { arrows: readonly Way[] }, { started, links }: Links): FlowUsers {
  const totals = totalsOf(links);
  const users = new Map<string, number>();
  const lost = new Map<string, UserShare>();
  let elsewhere = 0;
  const shareOf = (count: number, source: string) => ({ users: count, share: count / (totals.get(source) || 1) });
  for (const link of links) {
    const source = sourceOf(link);
    const between = arrows.filter(({ from, to }) => from === source && to === link.to_screen_id);
    const arrow = between.find(({ rule, kind }) => kind === "rule" && rule === link.rule);
    const found = arrow ?? between.find(({ kind }) => kind !== "rule");
    if (link.to_screen_id === LEFT) {
      lost.set(source, shareOf(link.users, source));
    } else if (found) {
      users.set(found.id, (users.get(found.id) ?? 0) + link.users);
    } else {
      elsewhere += link.users;
    }
  }
  const shares = arrows.map(({ id, from }) => [id, shareOf(users.get(id) ?? 0, from)] as const);
  const untold = Math.max(0, started - (totals.get(START) ?? 0));
  return { started, untold, elsewhere, arrows: new Map(shares), lost };
}

/** Return the estimated share of the users who take a path to its end: the product of the shares of its links. */
export function shareOfPath(path: readonly string[], links: readonly PathLinkView[]): number {
  const totals = totalsOf(links);
  const steps = [START, ...path].map((from, place) => [from, path[place] ?? END] as const);
  return steps.reduce((share, [from, to]) => {
    const users = links
      .filter((link) => sourceOf(link) === from && link.to_screen_id === to)
      .reduce((sum, link) => sum + link.users, 0);
    return (share * users) / (totals.get(from) || 1);
  }, 1);
}

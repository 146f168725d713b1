import { Graph, layout } from "@dagrejs/dagre";
import { END } from "../logic/rules";
import { type FlowGraph, START } from "./graph";

export interface Point {
  x: number;
  y: number;
}
export interface Box extends Point {
  width: number;
  height: number;
}

export const SCREEN_SIZE = { width: 128, height: 176 };
export const END_SIZE = { width: 64, height: 32 };
const LABEL_WIDTH = 150;
/** The room of users on an arrow without a condition. */
const USERS_WIDTH = 100;
const LABEL_LINE = 16;
/** About so many characters of a label fit into a line. */
const LINE_CHARACTERS = 24;

export interface FlowLayout {
  width: number;
  /** The places of screens, the start and the end: their upper left corners. */
  boxes: ReadonlyMap<string, Box>;
  /** The ways of arrows, and the middle of their labels. */
  ways: ReadonlyMap<string, { points: readonly Point[]; label: Point }>;
}

/** Return the places on the map, from left to right. Labels get room of their own. */
export function layoutOf({ screens, arrows }: FlowGraph): FlowLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 24, edgesep: 16, ranksep: 40, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  const add = (id: string, size: { width: number; height: number }) => graph.setNode(id, { ...size });
  add(START, END_SIZE);
  for (const { id } of screens) {
    add(id, SCREEN_SIZE);
  }
  add(END, END_SIZE);
  for (const arrow of arrows) {
    const lines = Math.min(3, Math.ceil(arrow.label.length / LINE_CHARACTERS)) + (arrow.users ? 1 : 0);
    const width = arrow.label ? LABEL_WIDTH : USERS_WIDTH;
    const size = lines > 0 ? { width, height: lines * LABEL_LINE, labelpos: "c" } : { width: 0, height: 0 };
    // The order is the straight way, and rules lead around.
    graph.setEdge(arrow.from, arrow.to, { ...size, weight: arrow.kind === "order" ? 8 : 1 }, arrow.id);
  }
  layout(graph);
  const boxes = [START, ...screens.map(({ id }) => id), END].map((id): [string, Box] => {
    const { x, y, width, height } = graph.node(id) as Box;
    return [id, { x: x - width / 2, y: y - height / 2, width, height }];
  });
  const ways = arrows.map(({ id, from, to }) => {
    const { points, x, y } = graph.edge({ v: from, w: to, name: id }) as { points: Point[] } & Partial<Point>;
    const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
    return [id, { points, label: { x: x ?? middle.x, y: y ?? middle.y } }] as const;
  });
  return { width: graph.graph().width ?? 0, boxes: new Map(boxes), ways: new Map(ways) };
}

/** Return the middle of a view with a box in its middle. The view shows no room beside the map, so far as that is wide. */
export function centerOf(box: Pick<Box, "x" | "width">, mapWidth: number, viewWidth: number): number {
  const first = viewWidth / 2;
  const last = mapWidth - first;
  return last < first ? mapWidth / 2 : Math.min(last, Math.max(first, box.x + box.width / 2));
}

/** Return a path of SVG through points, with round corners. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) {
    return "";
  }
  const parts = [`M${first.x},${first.y}`];
  for (const [place, point] of rest.slice(0, -1).entries()) {
    const next = rest[place + 1] ?? last;
    const isLast = place === rest.length - 2;
    const end = isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    parts.push(`Q${point.x},${point.y} ${end.x},${end.y}`);
  }
  if (rest.length === 1) {
    parts.push(`L${last.x},${last.y}`);
  }
  return parts.join(" ");
}

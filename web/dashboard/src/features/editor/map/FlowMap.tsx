import "@xyflow/react/dist/base.css";
import { VisuallyHidden } from "@mantine/core";
import {
  Background,
  Controls,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import { createContext, type KeyboardEvent, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import { END } from "../logic/rules";
import { logicTexts } from "../logic/texts";
import classes from "./FlowMap.module.css";
import { type Arrow, type FlowGraph, type MapScreen, START, shareInWords } from "./graph";
import { centerOf, layoutOf, type Point, pathOf, SCREEN_SIZE } from "./layout";
import { MapList } from "./MapList";
import { ScreenPhone } from "./ScreenPhone";

const words = logicTexts.map;
/** Below this zoom the names cannot be read. */
const READABLE_ZOOM = 1;
/** A flow of 100 screens fits into a small window. */
const MIN_ZOOM = 0.02;

/** Flows are long, and not high. */
const OVERVIEW_SIZE = { width: 200, height: 48 };

type ScreenNode = Node<{ screen: MapScreen; place: number }, "screen">;
type EndNode = Node<{ label: string }, "end">;
type MapNode = ScreenNode | EndNode;
type ArrowEdge = Edge<{ arrow: Arrow; points: readonly Point[]; middle: Point }, "arrow">;

export interface FlowMapProps {
  graph: FlowGraph;
  selected: string;
  /** Null for people who cannot change the flow. */
  onMove: ((id: string, place: number) => void) | null;
  onSelect: (id: string) => void;
  /** What stands at the upper left. */
  children: ReactNode;
  /** What stands at the upper right. */
  aside: ReactNode;
}

interface MapState {
  selected: string;
  press: (event: KeyboardEvent<HTMLElement>, place: number) => void;
  select: (id: string) => void;
}
const MapContext = createContext<MapState | null>(null);

/** The map of a flow: screens from left to right, and arrows for the order and for rules. */
export function FlowMap(props: FlowMapProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ graph, selected, onMove, onSelect, children, aside }: FlowMapProps) {
  const { screens } = graph;
  const root = useRef<HTMLElement>(null);
  const { fitView, getZoom, setCenter } = useReactFlow();
  const layout = useMemo(() => layoutOf(graph), [graph]);
  const first = screens[0]?.id ?? "";
  const current = screens.some(({ id }) => id === selected) ? selected : first;

  /** Bring a screen into view, and focus it. */
  function show(id: string, duration = 150) {
    const box = layout.boxes.get(id);
    if (box && root.current) {
      const zoom = Math.max(getZoom(), READABLE_ZOOM);
      const x = centerOf(box, layout.width, root.current.clientWidth / zoom);
      void setCenter(x, box.y + box.height / 2, { zoom, duration: isStill() ? 0 : duration });
    }
  }
  function go(place: number) {
    const next = screens[place]?.id;
    if (next !== undefined) {
      onSelect(next);
      show(next);
      root.current?.querySelector<HTMLElement>(`[data-screen="${next}"]`)?.focus({ preventScroll: true });
    }
  }
  function press(event: KeyboardEvent<HTMLElement>, place: number) {
    const id = screens[place]?.id ?? "";
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const targets = graph.arrows.filter(({ from, kind }) => from === id && kind === "rule");
    if (step !== undefined && event.altKey) {
      onMove?.(id, place + step);
    } else if (step !== undefined) {
      go(place + step);
    } else if (event.key === "Home" || event.key === "End") {
      go(event.key === "Home" ? 0 : screens.length - 1);
    } else if (event.key === "ArrowDown" && targets[0]) {
      go(screens.findIndex((screen) => screen.id === targets[0]?.to));
    } else if (event.key === "ArrowUp") {
      const source = graph.arrows.findLast(({ to, kind }) => to === id && kind === "rule");
      go(screens.findIndex((screen) => screen.id === source?.from));
    } else {
      return;
    }
    event.preventDefault();
  }

  const nodes = useMemo(() => {
    const node = (id: string) => {
      const { x, y, width, height } = layout.boxes.get(id) ?? { x: 0, y: 0, ...SCREEN_SIZE };
      return { id, position: { x, y }, width, height, draggable: false, selectable: false, connectable: false };
    };
    return [
      { ...node(START), type: "end", data: { label: words.start } },
      ...screens.map((screen, place) => ({ ...node(screen.id), type: "screen", data: { screen, place } })),
      { ...node(END), type: "end", data: { label: words.end } },
    ] as MapNode[];
  }, [layout, screens]);
  const edges = useMemo(
    () =>
      graph.arrows.map((arrow): ArrowEdge => {
        const { points, label: middle } = layout.ways.get(arrow.id) ?? { points: [], label: { x: 0, y: 0 } };
        const data = { arrow, points, middle };
        return { id: arrow.id, source: arrow.from, target: arrow.to, type: "arrow", data };
      }),
    [graph, layout],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice elsewhere moves the map, and nothing else
  useEffect(() => {
    if (root.current && !root.current.contains(document.activeElement)) {
      show(current);
    }
  }, [current]);

  async function begin() {
    await fitView({ maxZoom: 1 });
    if (getZoom() < READABLE_ZOOM) {
      show(current, 0);
    }
  }

  return (
    <MapContext value={{ selected: current, press, select: onSelect }}>
      <section ref={root} className={classes.map} aria-label={words.title}>
        <VisuallyHidden>
          <MapList graph={graph} />
        </VisuallyHidden>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onInit={() => void begin()}
          minZoom={MIN_ZOOM}
          maxZoom={1.5}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          deleteKeyCode={null}
          disableKeyboardA11y
          panOnScroll
          zoomOnDoubleClick={false}
          proOptions={{ hideAttribution: true }}
        >
          <svg className={classes.defs} aria-hidden="true">
            <title>{words.arrow}</title>
            <defs>
              <marker id="map-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
                <path d="M0,0 L8,4 L0,8 z" className={classes.head} />
              </marker>
            </defs>
          </svg>
          <Background gap={24} size={1} />
          <Controls showInteractive={false} aria-label={words.zoom} />
          {screens.length > 12 && <MiniMap pannable ariaLabel={words.overview} style={OVERVIEW_SIZE} />}
          <Panel position="top-left">{children}</Panel>
          <Panel position="top-right" className={classes.aside}>
            {aside}
          </Panel>
        </ReactFlow>
      </section>
    </MapContext>
  );
}

function isStill(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Where arrows begin and end. They are drawn by the layout, so that the handles are not seen. */
function Handles() {
  return (
    <>
      <Handle type="target" position={Position.Left} className={classes.handle} />
      <Handle type="source" position={Position.Right} className={classes.handle} />
    </>
  );
}

function ScreenOnMap({ data: { screen, place } }: NodeProps<ScreenNode>) {
  const { selected = "", press, select } = useContext(MapContext) ?? {};
  const isSelected = selected === screen.id;
  return (
    <>
      <button
        type="button"
        className={`${classes.choose} nopan`}
        data-screen={screen.id}
        data-selected={isSelected || undefined}
        aria-pressed={isSelected}
        tabIndex={isSelected ? 0 : -1}
        onClick={() => select?.(screen.id)}
        onKeyDown={(event) => press?.(event, place)}
      >
        <ScreenPhone screen={screen} />
      </button>
      <Handles />
    </>
  );
}

function EndOnMap({ data: { label } }: NodeProps<EndNode>) {
  return (
    <div className={classes.end}>
      {label}
      <Handles />
    </div>
  );
}

function ArrowOnMap({ data }: EdgeProps<ArrowEdge>) {
  if (!data) {
    return null;
  }
  const { points, middle } = data;
  const { kind, label, users } = data.arrow;
  return (
    <>
      <path d={pathOf(points)} className={classes.arrow} data-kind={kind} markerEnd="url(#map-arrow)" />
      {(label || users) && (
        <EdgeLabelRenderer>
          <div
            className={classes.label}
            title={label}
            style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
          >
            {label}
            {users && <span className={classes.users}>{shareInWords(users)}</span>}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const NODE_TYPES = { screen: ScreenOnMap, end: EndOnMap };
const EDGE_TYPES = { arrow: ArrowOnMap };

import { useReducer } from "react";
import type { FlowDocument } from "./document";

export interface History {
  document: FlowDocument;
  past: readonly FlowDocument[];
  future: readonly FlowDocument[];
  /** The field of the last change and its time: quick changes of one field are undone together. */
  last: { field: string; at: number } | null;
}

export type HistoryAction =
  | { type: "change"; document: FlowDocument; field?: string; at: number }
  | { type: "undo" }
  | { type: "redo" };

const TOGETHER_MILLISECONDS = 1500;
const MAX_STEPS = 200;

/** Return the history after a change, an undo or a redo. */
export function historyReducer(state: History, action: HistoryAction): History {
  const { document, past, future, last } = state;
  switch (action.type) {
    case "change": {
      if (action.document === document) {
        return state;
      }
      const field = action.field;
      const next = field === undefined ? null : { field, at: action.at };
      const continues = last !== null && last.field === field && action.at - last.at < TOGETHER_MILLISECONDS;
      return {
        document: action.document,
        past: continues ? past : [...past, document].slice(-MAX_STEPS),
        future: [],
        last: next,
      };
    }
    case "undo": {
      const before = past.at(-1);
      return before ? { document: before, past: past.slice(0, -1), future: [document, ...future], last: null } : state;
    }
    case "redo": {
      const [after, ...rest] = future;
      return after ? { document: after, past: [...past, document], future: rest, last: null } : state;
    }
  }
}

/** Changes a document; changes of one `field` in quick succession are one step of the history. */
export type Change = (document: FlowDocument, field?: string) => void;

/** Return a document with its history, and the functions that change it. */
export function useHistory(initial: FlowDocument) {
  const [state, dispatch] = useReducer(historyReducer, { document: initial, past: [], future: [], last: null });
  const change: Change = (document, field) => dispatch({ type: "change", document, field, at: Date.now() });
  return {
    document: state.document,
    canUndo: state.past.length > 0,
    canRedo: state.future.length > 0,
    change,
    undo: () => dispatch({ type: "undo" }),
    redo: () => dispatch({ type: "redo" }),
  };
}

import { useCallback } from "react";
import { type Change, useInvalidate } from "@/api/useInvalidate";
import { toastWithUndo } from "./feedback";

/** Return a function like `toastWithUndo` whose undo makes the same queries stale as the change, also when it fails. */
export function useUndo(change: Change): typeof toastWithUndo {
  const invalidate = useInvalidate();
  return useCallback(
    (message, undo, done) => {
      const undoAndRead = async () => {
        try {
          await undo();
        } finally {
          await invalidate(change);
        }
      };
      toastWithUndo(message, undoAndRead, done);
    },
    [change, invalidate],
  );
}

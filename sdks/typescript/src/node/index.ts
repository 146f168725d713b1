/** Storage in a file, for Node. */

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Storage } from "../types";

/**
 * Return a storage in the files `{path}.{key}`. A file is replaced as a whole, so a process that is killed leaves the
 * former one or the new one.
 */
export function fileStorage(path: string): Storage {
  const fileOf = (key: string) => `${path}.${key.replace(/[^\w.-]/g, "_")}`;
  return {
    get(key) {
      try {
        return readFileSync(fileOf(key), "utf8");
      } catch (error) {
        if ((error as { code?: string }).code === "ENOENT") {
          return null;
        }
        throw error;
      }
    },
    set(key, value) {
      const partial = `${fileOf(key)}.${process.pid}.partial`;
      writeFileSync(partial, value);
      renameSync(partial, fileOf(key));
    },
    remove: (key) => rmSync(fileOf(key), { force: true }),
  };
}

import { defineConfig } from "vite";

/** The process that walks, as one file. */
export default defineConfig({
  build: { ssr: "testing/lines.ts", target: "node20", emptyOutDir: true },
  ssr: { noExternal: true },
});

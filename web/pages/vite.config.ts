import { defineConfig } from "vite";

/** One script and one style sheet. Digests of their content are put into their names when they are published. */
export default defineConfig({
  publicDir: "illustrations",
  build: {
    target: "es2020",
    modulePreload: false,
    rollupOptions: {
      input: "src/main.ts",
      output: { entryFileNames: "pages.js", assetFileNames: "pages.css" },
    },
  },
});

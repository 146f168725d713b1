/// <reference types="vitest/config" />
import { readdirSync } from "node:fs";
import { parse } from "node:path";
import { defineConfig } from "vite";

/** The style sheets of parts (page_document.py), which have the names of their scripts. */
const STYLES = readdirSync("src/styles/parts").map((file) => [`${parse(file).name}-style`, `src/styles/parts/${file}`]);

/**
 * One script and one style sheet, those of each part that only some pages need, and the fallback. The scripts import
 * each other, so that vite puts the digests into their names.
 */
export default defineConfig({
  publicDir: "../flow/illustrations",
  build: {
    /** iOS 14 and Android WebView 80 have the syntax of ES2020. */
    target: "es2020",
    cssTarget: ["chrome80", "ios14"],
    modulePreload: false,
    // The notices of all packages in the bundles; the bill of materials lists them too (tools/sbom.py).
    license: { fileName: "third-party.txt" },
    rollupOptions: {
      input: {
        pages: "src/main.ts",
        fallback: "src/fallback.js",
        ...Object.fromEntries(STYLES),
      },
      output: {
        entryFileNames: "[name].[hash].js",
        chunkFileNames: "[name].[hash].js",
        assetFileNames: ({ names: [name = ""] }) => `${name.replace(/(-style)?\.css$/, "")}.[hash].css`,
        codeSplitting: { groups: [{ name: "pages", test: /\/src\/(?!fallback|styles\/parts)/, tags: ["$initial"] }] },
      },
    },
  },
  test: {
    environment: "jsdom",
    // One jsdom for all files: it takes longer to create than the tests to run.
    isolate: false,
    unstubGlobals: true,
  },
});

/// <reference types="vitest/config" />
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** The style sheets of parts (page_document.py), which have the names of their scripts. */
const STYLES = readdirSync("src/styles/parts").map((file) => [`${parse(file).name}-style`, `src/styles/parts/${file}`]);

/** The languages of words but English, which the script of all pages has. */
const LANGUAGES = readdirSync("src/words")
  .map((file) => parse(file).name)
  .filter((tag) => tag !== "en");

/** The words of a language as a script that imports nothing: `words-de` for example. */
const words: Plugin = {
  name: "words",
  resolveId: (source) => (source.startsWith("words:") ? `\0${source}` : null),
  load: (id) => {
    const tag = id.startsWith("\0words:") && id.slice("\0words:".length);
    if (!tag) {
      return null;
    }
    const texts = JSON.stringify(JSON.parse(readFileSync(`src/words/${tag}.json`, "utf8")));
    return `globalThis.doorstepWords = { ...globalThis.doorstepWords, "${tag.toLowerCase()}": ${texts} };`;
  },
};

/**
 * One script and one style sheet, those of each part that only some pages need, the words of each language, and the fallback. The scripts import
 * each other, so that vite puts the digests into their names.
 */
export default defineConfig({
  plugins: [words],
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
        ...Object.fromEntries(LANGUAGES.map((tag) => [`words-${tag.toLowerCase()}`, `words:${tag}`])),
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

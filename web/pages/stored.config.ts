import { defineConfig, type Plugin } from "vite";

/** Animations keep their posters: the player of Lottie weighs more than the script. */
const posters: Plugin = {
  name: "posters",
  enforce: "pre",
  resolveId: (source) => (source.endsWith("/screens/lottie") ? "\0posters" : null),
  load: (id) => (id === "\0posters" ? "export const play = () => {};" : null),
};

/** The script of stored pages: one classic script, because a document without an address imports nothing. */
export default defineConfig({
  plugins: [posters],
  publicDir: false,
  build: {
    target: "es2020",
    modulePreload: false,
    emptyOutDir: false,
    rollupOptions: {
      input: "src/stored.ts",
      output: { format: "iife", entryFileNames: "stored.[hash].js", codeSplitting: false },
    },
  },
});

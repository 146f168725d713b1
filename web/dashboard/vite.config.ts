/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv } from "vite";

/** The management service that `npm run dev` talks to: the one of `make run`, or of DASHBOARD_SERVICE. */
const SERVICE = loadEnv("development", ".", "DASHBOARD_").DASHBOARD_SERVICE ?? "http://127.0.0.1:8081";

export default defineConfig({
  base: "/dashboard/",
  plugins: [react()],
  resolve: { alias: { "@": "/src" } },
  build: {
    target: "es2023",
    outDir: "../../management_api/dashboard/static",
    emptyOutDir: true,
    // The content security policy allows images as data: URLs, but no fonts.
    assetsInlineLimit: 0,
    manifest: true,
    // As in web/pages/vite.config.ts.
    license: { fileName: "third-party.txt" },
    chunkSizeWarningLimit: 900,
  },
  server: {
    proxy: {
      "/api": SERVICE,
      "/dashboard/config.json": SERVICE,
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["./src/testing/setup.ts"],
    // One jsdom for all files: it takes longer to create than the tests to run.
    isolate: false,
    restoreMocks: true,
  },
});

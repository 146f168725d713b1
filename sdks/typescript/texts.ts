/** Bundles style sheets and drawings of the hosted pages as texts. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Plugin, transform } from "esbuild";

const FOLDERS: Record<string, string> = {
  pages: path.resolve("../../web/pages/src"),
  illustrations: path.resolve("../../web/flow/illustrations"),
};
/** As the hosted pages: iOS 14 and Android WebView 80. */
const BROWSERS = ["chrome80", "ios14"];

export const texts: Plugin = {
  name: "texts",
  setup(build) {
    build.onResolve({ filter: /^@onboarding\/.*\?(inline|raw)$/ }, ({ path: name }) => {
      const [, folder = "", rest = ""] = /^@onboarding\/([^/]+)\/(.*)\?/.exec(name) ?? [];
      return { path: path.join(FOLDERS[folder] ?? "", `${rest}?`), namespace: "texts" };
    });
    build.onLoad({ filter: /.*/, namespace: "texts" }, async ({ path: name }) => {
      const source = await readFile(name.slice(0, -1), "utf8");
      const isStyle = name.endsWith(".css?");
      const styles = isStyle ? await transform(source, { loader: "css", minify: true, target: BROWSERS }) : null;
      return { contents: (styles?.code ?? source).trim(), loader: "text" };
    });
  },
};

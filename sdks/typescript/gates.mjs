/**
 * Check the built package, whose tarball is the argument: sizes, exports and types, and that the engine of React Native
 * compiles it and has all of its globals.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** The bytes after gzip that an app downloads for an import, minified, without its peers. */
const LIMITS = [
  { name: "core", code: 'export { createOnboarding } from "doorstep"', limit: 20 * 1024 },
  { name: "web", code: 'export * from "doorstep/web"', limit: 24 * 1024 },
  {
    name: "react on top of web",
    code: 'export * from "doorstep/react"; export * from "doorstep/web"',
    without: 'export * from "doorstep/web"',
    limit: 5 * 1024,
  },
  {
    name: "react-native on top of core",
    code: 'export * from "doorstep/react-native"; export { createOnboarding } from "doorstep"',
    without: 'export { createOnboarding } from "doorstep"',
    limit: 5 * 1024,
  },
  { name: "nothing", code: 'import "doorstep"', limit: 64 },
];
/** Subpaths that run on React Native. */
const ON_REACT_NATIVE = ["doorstep", "doorstep/react-native"];
/** The globals that React Native has on all of its versions. */
const GLOBALS = ["Promise", "Intl", "fetch", "setTimeout", "clearTimeout", "AbortController"];
const FOLDERS = { linux: "linux64-bin", darwin: "osx-bin", win32: "win64-bin" };
const HERMES = path.resolve("node_modules/hermes-compiler/hermesc", FOLDERS[process.platform] ?? "", "hermesc");
const ATTW = path.resolve("node_modules/@arethetypeswrong/cli/dist/index.js");
const PEERS = ["react", "react-dom", "react-native", "react-native-webview"];

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const found = [];

/** Return the bytes after gzip of code with what it imports, without the parts that are loaded when a flow needs them. */
async function sizeOf(code) {
  const parts = { metafile: true, splitting: true, outdir: "/", entryNames: "main", minify: true };
  const { outputFiles, metafile } = await built(code, parts);
  const files = new Set(Object.keys(metafile.outputs).filter((name) => /(^|\/)main\.js$/.test(name)));
  for (const name of files) {
    for (const { path: imported, kind } of metafile.outputs[name].imports) {
      if (kind === "import-statement" && metafile.outputs[imported]) {
        files.add(imported);
      }
    }
  }
  const wanted = new Set([...files].map((name) => path.basename(name)));
  const contents = outputFiles.filter((file) => wanted.has(path.basename(file.path))).map((file) => file.contents);
  return gzipSync(Buffer.concat(contents), { level: 9 }).length;
}

/** Return a bundle of code that imports the package, as an app makes it. */
async function bundled(code, options = {}) {
  return (await built(code, options)).outputFiles[0].contents;
}

async function built(code, options) {
  const alias = Object.fromEntries(
    Object.entries(exports)
      .filter(([, target]) => target.import)
      .map(([name, target]) => [path.posix.join("doorstep", name), path.resolve(target.import.default)])
      .sort(([one], [other]) => other.length - one.length),
  );
  return build({
    stdin: { contents: code, resolveDir: "." },
    ...{ bundle: true, write: false, target: "es2020", format: "esm", external: PEERS, alias, logLevel: "silent" },
    ...options,
  });
}

if (/Copyright/.test(readFileSync("dist/lottie-web.LICENSE.md", "utf8")) === false) {
  found.push("the package has no notice of the player of Lottie animations");
}

for (const { name, code, without, limit } of LIMITS) {
  const size = (await sizeOf(code)) - (without ? await sizeOf(without) : 0);
  console.log(`${name}: ${size} of ${limit} bytes`);
  if (size > limit) {
    found.push(`${name} has ${size} bytes, ${size - limit} too many`);
  }
}

const folder = mkdtempSync(path.join(tmpdir(), "hermes-"));
for (const subpath of ON_REACT_NATIVE) {
  const file = path.join(folder, "bundle.js");
  writeFileSync(file, await bundled(`import * as all from "${subpath}"; globalThis.all = all;`, { format: "iife" }));
  const { status, stderr } = spawnSync(HERMES, ["-emit-binary", "-out", `${file}.hbc`, file], { encoding: "utf8" });
  if (status !== 0) {
    found.push(`${subpath} is refused by Hermes: ${stderr}`);
  }
  for (const [, name] of stderr.matchAll(/the variable "(.+)" was not declared/g)) {
    if (!GLOBALS.includes(name)) {
      found.push(`${subpath} uses ${name}, which React Native may lack`);
    }
  }
}
rmSync(folder, { recursive: true });

const { messages, pkg } = await publint({ pkgDir: ".", pack: false, strict: true });
found.push(...messages.map((message) => formatMessage(message, pkg)));

const wrong = spawnSync(process.execPath, [ATTW, process.argv[2], "--profile", "node16"], { encoding: "utf8" });
if (wrong.status !== 0) {
  found.push(wrong.stdout + wrong.stderr);
}

for (const line of found) {
  console.error(line);
}
process.exit(found.length > 0 ? 1 : 0);

/**
 * Fail for calls of the library and the DOM that the oldest engines of hosted pages do not have: iOS 14 and Android
 * WebView 80. TypeScript finds the types, the browser compatibility data of MDN have the versions. The arguments are
 * folders with a tsconfig.json.
 */

import { createRequire } from "node:module";
import path from "node:path";
import ts from "typescript";

const data = createRequire(import.meta.url)("@mdn/browser-compat-data");
const ENGINES = { safari_ios: 14, webview_android: 80 };
/** Members that the code looks for before it calls them. */
const ASKED_FOR = new Set(["Crypto.randomUUID", "Window.requestIdleCallback"]);
const ROOTS = [data.api, data.javascript.builtins, data.javascript.builtins.Intl];

/** Interfaces that several others share. Members stand below one of these others in the data. */
const SHARED = { ChildNode: "Element", ParentNode: "Element", ReadonlyArray: "Array" };

/**
 * Return the engines that do not have a member of a type, or a global name; undefined for one that the data do not have,
 * like the members of options.
 */
function missing(...names) {
  const entry = ROOTS.map((root) => names.reduce((found, name) => found?.[name], root)).find(
    (found) => found?.__compat,
  );
  return (
    entry &&
    Object.entries(ENGINES).filter(([engine, version]) => {
      const { version_added: added, flags, prefix } = [entry.__compat.support[engine]].flat()[0] ?? {};
      return flags || prefix || added === false || Number.parseFloat(String(added).replace("≤", "")) > version;
    })
  );
}

/** Return the names of a type and of the types that it extends. */
function namesOf(type, checker) {
  const parts = type.isUnionOrIntersection() ? type.types : [type];
  return parts.flatMap((part) => {
    const shown = checker.getApparentType(part);
    const bases = shown.isClassOrInterface() ? checker.getBaseTypes(shown) : (shown.target?.getBaseTypes?.() ?? []);
    const isList = checker.isArrayType(part) || checker.isTupleType(part);
    const name = isList ? "Array" : (shown.getSymbol()?.getName() ?? "").replace(/Constructor$/, "");
    return [SHARED[name] ?? name, ...bases.flatMap((base) => namesOf(base, checker))];
  });
}

/** Return the place of each newer call in the sources of a folder. */
function check(folder) {
  const { config } = ts.readConfigFile(path.join(folder, "tsconfig.json"), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const sources = fileNames.filter((name) => /\/src\/.*(?<!\.test)\.ts$/.test(name));
  const program = ts.createProgram(sources, options);
  const checker = program.getTypeChecker();
  const isOfLibrary = (symbol) =>
    symbol?.declarations?.some((one) => program.isSourceFileDefaultLibrary(one.getSourceFile())) ?? false;
  const found = [];
  const report = (node, name, engines) => {
    if (engines?.length && !ASKED_FOR.has(name)) {
      const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
      const place = `${path.relative(process.cwd(), node.getSourceFile().fileName)}:${line + 1}`;
      found.push(
        `${place} ${name} is missing in ${engines.map(([engine, version]) => `${engine} ${version}`).join(", ")}`,
      );
    }
  };
  const member = (node, type, name, expression = "") => {
    if (isOfLibrary(checker.getPropertyOfType(checker.getApparentType(type), name))) {
      const owner = namesOf(type, checker).find((one) => missing(one, name));
      const engines = owner ? missing(owner, name) : (missing(expression, `${name}_static`) ?? missing(name));
      report(node, `${owner ?? expression}.${name}`, engines);
    }
  };
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node)) {
      const type = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
      // The constructors of interfaces have no name of their own.
      member(node, type, node.name.text, node.expression.getText());
    } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      member(node, checker.getTypeAtLocation(node.parent), (node.propertyName ?? node.name).getText());
    } else if (ts.isIdentifier(node) && !ts.isPartOfTypeNode(node) && isOfLibrary(checker.getSymbolAtLocation(node))) {
      if (!ts.isPropertyAccessExpression(node.parent) || node.parent.expression === node) {
        report(node, node.text, missing(node.text) ?? missing("Window", node.text));
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const name of sources) {
    visit(program.getSourceFile(name));
  }
  return found;
}

const found = process.argv.slice(2).flatMap((folder) => check(path.resolve(folder)));
for (const line of found) {
  console.error(line);
}
process.exit(found.length > 0 ? 1 : 0);

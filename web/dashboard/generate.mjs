// Writes src/api/schema.d.ts from the OpenAPI document of the service; with --check it fails if the file differs.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const DOCUMENT = new URL("../../management_api/docs/openapi.json", import.meta.url);
const TYPES = new URL("src/api/schema.d.ts", import.meta.url);

const nodes = await openapiTS(DOCUMENT, {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // Members with a default may be left out of bodies; responses list what they always have as required.
  defaultNonNullable: false,
  // openapi-fetch cannot send a member whose only type is null: the `value` of a condition without one.
  transform: (schema, { path }) =>
    schema.type === "null" && path?.endsWith("/value")
      ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
      : undefined,
});
const text = `// Generated from management_api/docs/openapi.json by \`npm run generate\`; do not edit.\n${astToString(nodes)}`;

if (process.argv.includes("--check")) {
  if ((await readFile(TYPES, "utf8").catch(() => "")) !== text) {
    console.error("out of date: web/dashboard/src/api/schema.d.ts; run `make generate` and commit the result");
    process.exit(1);
  }
} else {
  await writeFile(TYPES, text);
}

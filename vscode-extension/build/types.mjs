// Writes TypeScript interfaces of a schema: node types.mjs SCHEMA OUTPUT HEADER
import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const [schemaPath, outputPath, header] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaPath, "utf8"));
const { $defs, title, version } = schema;
const text = await compile({ title, $defs, type: "object", additionalProperties: false }, "Protocol", {
  bannerComment: header
    .split("\n")
    .map((line) => `// ${line}`)
    .join("\n"),
  additionalProperties: false,
  unreachableDefinitions: true,
  format: true,
  style: { printWidth: 100 },
});
const methods = (kind) =>
  Object.entries(schema[kind])
    .map(([name, { params, result, description }]) => {
      const types = result === undefined ? params : `[${params}, ${result}]`;
      return `  /** ${description} */\n  ${name}: ${types};`;
    })
    .join("\n");
const maps = [
  ["requests", "Requests", "Requests of the editor: params and result by the name behind gradpeek/."],
  ["notifications", "Notifications", "Notifications of the editor."],
  ["editor_requests", "EditorRequests", "Requests of the server."],
  ["editor_notifications", "EditorNotifications", "Notifications of the server."],
].map(([kind, name, words]) => `/** ${words} */\nexport interface ${name} {\n${methods(kind)}\n}\n`);
const origin = /\n? \*\n \* This interface was referenced by .*\n \* via the `definition` .*/g;
const documented = text
  .replaceAll(origin, "")
  .replaceAll(/\/\*\*\n \* This interface was referenced by .*\n \* via the `definition` .*\n \*\/\n/g, "");
writeFileSync(outputPath, `${documented}\nexport const VERSION = ${version};\n\n${maps.join("\n")}`);

// Bundles the extension into dist/extension.js: node build/bundle.mjs [--development]
import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import { notices } from "./notices.mjs";

const development = process.argv.includes("--development");
const { metafile } = await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node18",
  external: ["vscode"],
  // jsonrpc and its kin offer themselves as UMD first, which cannot be bundled.
  mainFields: ["module", "main"],
  minify: !development,
  sourcemap: development,
  logLevel: "warning",
  metafile: true,
});
writeFileSync("dist/notices.txt", notices(metafile));

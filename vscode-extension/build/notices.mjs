// Licences of the packages that a bundle holds.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The licence texts of all packages among the inputs of an esbuild metafile, as one text.
 *
 * Throws where a package has none: it could not be passed on.
 */
export function notices(metafile) {
  const folders = Object.keys(metafile.inputs)
    .map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1])
    .filter((folder) => folder !== undefined);
  const parts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (file === undefined || !existsSync(join(folder, file))) {
      throw new Error(`${name} ${version} comes without the text of its licence`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return ["dist/extension.js contains the following packages.\n", ...parts.sort()].join(
    `\n${"-".repeat(80)}\n\n`,
  );
}

import * as vscode from "vscode";
import { colorOf, type Shade } from "./rows";

const SCHEME = "gradpeek";

/** What a row is called for the editor's decorations; undefined for rows in the usual colour. */
export function shadeUri(shade: Shade): vscode.Uri | undefined {
  return shade === "normal" ? undefined : vscode.Uri.from({ scheme: SCHEME, path: `/${shade}` });
}

/** Colours the labels of rows, which a tree item cannot do by itself. */
export const shades: vscode.FileDecorationProvider = {
  provideFileDecoration(uri) {
    if (uri.scheme !== SCHEME) return undefined;
    const color = colorOf(uri.path.slice(1));
    return color === undefined ? undefined : { color: new vscode.ThemeColor(color) };
  },
};

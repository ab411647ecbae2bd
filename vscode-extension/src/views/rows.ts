import type { Node, NodeKind, Tone } from "../protocol";

/** How a node is drawn, in the editor's words but without its objects. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** Id of a colour of the theme, undefined for the usual one. */
  readonly color: string | undefined;
  readonly state: "none" | "collapsed" | "expanded";
  /** What the `when` clauses of menus ask: `;word;` for kind, pinned and each action. */
  readonly context: string;
  readonly spoken: string;
  readonly shade: Shade;
}

/** What colours a label. */
export type Shade = "normal" | "faint" | "warning" | "error";

const ICONS: Record<NodeKind, string> = {
  process: "server-process",
  module: "symbol-class",
  parameter: "symbol-field",
  buffer: "database",
  tensor: "symbol-array",
  gradient: "triangle-down",
  gradients: "layers",
  optimizer: "settings-gear",
  grad_scaler: "symbol-ruler",
  scheduler: "calendar",
  group: "symbol-namespace",
  state: "symbol-property",
  bucket: "ellipsis",
  error: "error",
  note: "info",
};

const COLORS: Record<Shade, string | undefined> = {
  normal: undefined,
  faint: "gradpeek.faintForeground",
  warning: "gradpeek.warningForeground",
  error: "gradpeek.errorForeground",
};

/** How the node is drawn. Its texts stay as they are: none is Markdown, none names an icon. */
export function rowOf(node: Node): Row {
  const shade = shadeOf(node.tone, node.stale);
  const opened = node.expanded ? "expanded" : "collapsed";
  const words = [node.kind, ...(node.pinned ? ["pinned"] : []), ...node.actions];
  return {
    id: node.id,
    label: node.label,
    description: node.cells.map((cell) => cell.text).join("  "),
    icon: ICONS[node.kind] ?? "symbol-misc",
    color: COLORS[shade],
    state: node.expandable ? opened : "none",
    context: `;${words.join(";")};`,
    spoken: node.spoken,
    shade,
  };
}

function shadeOf(tone: Tone, stale: boolean): Shade {
  return stale ? "faint" : tone;
}

/** The colour of a label in that shade. */
export function colorOf(shade: string): string | undefined {
  return COLORS[shade as Shade];
}

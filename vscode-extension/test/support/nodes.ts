import type { Node } from "../../src/protocol";

/** A node with these parts; the rest is usual. */
export function node(parts: Partial<Node> = {}): Node {
  return {
    id: "0:model",
    parent: null,
    kind: "module",
    label: "model",
    cells: [],
    tone: "normal",
    stale: false,
    expandable: true,
    expanded: false,
    pinned: false,
    spoken: "model",
    expression: "model",
    actions: [],
    ...parts,
  };
}

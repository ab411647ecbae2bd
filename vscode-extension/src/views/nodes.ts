import type { Node } from "../protocol";

/**
 * The nodes that the tree shows. A node keeps its object as long as it keeps its id, because the
 * editor knows rows by their objects; what the server says anew is written into it.
 */
export class ShownNodes {
  private nodes = new Map<string, Node>();
  private earlier = new Map<string, Node>();
  private below = new Map<string | null, readonly Node[]>();

  /** The node of that id. */
  get(id: string): Node | undefined {
    const node = this.nodes.get(id) ?? this.earlier.get(id);
    if (node !== undefined) this.nodes.set(id, node);
    return node;
  }

  /** The nodes last shown below a node, null for the top. */
  childrenOf(id: string | null): readonly Node[] {
    return this.below.get(id) ?? [];
  }

  /** Takes what the server says is below a node, null for the top; returns the nodes to show. */
  put(parent: string | null, fresh: readonly Node[]): Node[] {
    const nodes = this.adopt(fresh);
    this.below.set(parent, nodes);
    return nodes;
  }

  /** Takes nodes without saying what is below what, e.g. the way down to one. */
  adopt(fresh: readonly Node[]): Node[] {
    return fresh.map((node) => {
      const known = this.get(node.id);
      if (known === undefined) {
        this.nodes.set(node.id, node);
        return node;
      }
      return Object.assign(known, node);
    });
  }

  /** The whole tree is about to be asked for: what does not come again is forgotten by the next time. */
  turn(): void {
    this.earlier = this.nodes;
    this.nodes = new Map();
    for (const id of this.below.keys()) {
      if (id !== null && !this.earlier.has(id)) this.below.delete(id);
    }
  }

  /** Those of the ids that are shown and have none of the others above them. */
  topmost(ids: ReadonlySet<string>): Node[] {
    const isBelowAnother = (node: Node): boolean => {
      const { parent } = node;
      if (parent === null) return false;
      if (ids.has(parent)) return true;
      const above = this.get(parent);
      return above !== undefined && isBelowAnother(above);
    };
    return [...ids]
      .map((id) => this.get(id))
      .filter((node) => node !== undefined)
      .filter((node) => !isBelowAnother(node));
  }
}

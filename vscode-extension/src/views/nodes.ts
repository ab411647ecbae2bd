import type { Node } from "../protocol";

/**
 * The nodes that the tree shows. A node keeps its object as long as it keeps its id, because the
 * editor knows rows by their objects; what the server says anew is written into it. It is forgotten
 * when the server no longer names it, not when a question about it has been left: at stops that
 * follow each other fast no question is answered, and what is unfolded must stay so.
 */
export class ShownNodes {
  private readonly nodes = new Map<string, Node>();
  private readonly below = new Map<string | null, readonly Node[]>();

  /** The node of that id. */
  get(id: string): Node | undefined {
    return this.nodes.get(id);
  }

  /** The nodes last shown below a node, null for the top. */
  childrenOf(id: string | null): readonly Node[] {
    return this.below.get(id) ?? [];
  }

  /** Takes what the server says is below a node, null for the top; returns the nodes to show. */
  put(parent: string | null, fresh: readonly Node[]): Node[] {
    const nodes = this.adopt(fresh);
    const named = new Set(nodes);
    for (const node of this.childrenOf(parent)) {
      // One that is below another node by now has only moved.
      if (!named.has(node) && node.parent === parent) this.forget(node);
    }
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

  private forget(node: Node): void {
    const below = this.childrenOf(node.id);
    this.nodes.delete(node.id);
    this.below.delete(node.id);
    for (const child of below) if (child.parent === node.id) this.forget(child);
  }
}

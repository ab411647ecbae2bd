import { fieldOf, stringIn } from "../debug/messages";

/** What Show Gradients was asked for by a menu. */
export interface Target {
  /** The debug session, null for the selected one. */
  readonly session: string | null;
  readonly expression: string;
}

/**
 * What a row of the Variables or the Watch view evaluates to, from the argument that their menus
 * give a command; undefined where the argument is something else or the row has no expression.
 */
export function targetOf(argument: unknown): Target | undefined {
  const variable = fieldOf(argument, "variable");
  if (variable === undefined) return undefined;
  // A watch expression is its own name.
  const expression = stringIn(variable, "evaluateName") || watched(argument, variable);
  if (!expression) return undefined;
  return { session: stringIn(argument, "sessionId") ?? null, expression };
}

function watched(argument: unknown, variable: unknown): string | undefined {
  return fieldOf(argument, "container") === undefined ? stringIn(variable, "name") : undefined;
}

/** Whether the argument comes from the menu of the Variables or the Watch view. */
export function isVariable(argument: unknown): boolean {
  return fieldOf(argument, "variable") !== undefined;
}

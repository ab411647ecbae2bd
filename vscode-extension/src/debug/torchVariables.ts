import { asResponse, fieldOf, listIn, type Message, stringIn } from "./messages";

/** The value of `debugProtocolVariableMenuContext` on rows that Show Gradients has an icon on. */
export const MENU_CONTEXT = "gradpeek";

const TYPES = new Set([
  ...["Tensor", "Parameter", "Buffer", "UninitializedParameter", "UninitializedBuffer", "DTensor"],
  ...["Module", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"],
  ...["DataParallel", "DistributedDataParallel", "FullyShardedDataParallel", "OptimizedModule"],
  ...["ScriptModule", "RecursiveScriptModule", "GraphModule"],
  ...["Optimizer", "SGD", "Adam", "AdamW", "Adagrad", "Adadelta", "RMSprop", "LBFGS", "GradScaler"],
]);

// What repr() of tensors and of modules begins with; a module's children have a line each.
const TENSOR = /^(Parameter containing:|tensor\()/;
const MODULE = /^(\w+)\((?:\s*\(\w+\): |in_features=|num_features=|\d+, \d+, kernel_size=)/;

/**
 * Whether a row of the Variables view is a module, tensor or optimizer, as far as the debugger's
 * words for it tell. Wrong either way it costs an icon only: the menu entry is always there.
 */
export function looksLikeTorch(variable: unknown): boolean {
  const type = stringIn(variable, "type");
  const value = stringIn(variable, "value") ?? "";
  if (type !== undefined && TYPES.has(type)) return true;
  return TENSOR.test(value) || (type !== undefined && MODULE.exec(value)?.[1] === type);
}

/**
 * Marks the rows of a `variables` response that look like torch's, for the `when` clauses of the
 * menus. The editor reads the response after us; where it does not, rows have no icon.
 */
export function markTorchVariables(message: Message): void {
  const response = asResponse(message);
  if (response?.command !== "variables" || !response.success) return;
  for (const variable of listIn(response.body, "variables")) {
    if (!stringIn(variable, "evaluateName") || !looksLikeTorch(variable)) continue;
    if (fieldOf(variable, "__vscodeVariableMenuContext") !== undefined) continue;
    (variable as Record<string, unknown>).__vscodeVariableMenuContext = MENU_CONTEXT;
  }
}

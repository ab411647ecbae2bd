import { ErrorCodes, ResponseError } from "vscode-jsonrpc/node";
import type { Evaluate, Text } from "../protocol";
import { stringIn } from "./messages";
import type { SessionStops } from "./sessionStops";

/** The part of a debug session that evaluates. */
export interface Evaluator {
  customRequest(command: string, args: unknown): Thenable<unknown>;
}

/** Debuggers that have the context `clipboard`, for sessions whose capabilities were not seen. */
const PYTHON = new Set(["debugpy", "python"]);

/**
 * The context that an expression is evaluated in. `clipboard` is the one in which debugpy cuts no
 * text; `repl` is the one that every adapter knows.
 */
export function contextFor(stops: SessionStops): "clipboard" | "repl" {
  return (stops.clipboard ?? PYTHON.has(stops.info.debugger)) ? "clipboard" : "repl";
}

/**
 * What the server's expression evaluates to in a frame of the user's own session.
 *
 * @throws ResponseError where the stop is over or was never there (nothing is asked then), or with
 *   the adapter's words where it refuses.
 */
export async function relay(
  params: Evaluate,
  stops: SessionStops | undefined,
  session: Evaluator | undefined,
): Promise<Text> {
  if (stops === undefined || session === undefined) throw refusal("The debug session is over.");
  if (stops.stop !== params.stop || stops.state !== "stopped") {
    throw refusal(
      stops.state === "running" ? "The program runs." : "The program has stopped elsewhere since.",
    );
  }
  let body: unknown;
  try {
    body = await session.customRequest("evaluate", {
      expression: params.expression,
      frameId: params.frame,
      context: contextFor(stops),
    });
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
  const text = stringIn(body, "result");
  if (text === undefined) throw refusal("The debugger answered without a result.");
  return { text };
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidRequest, message);
}

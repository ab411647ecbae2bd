import { asRequest, asResponse, listIn, type Message, numberIn, stringIn } from "./messages";

const FUNCTION = "grads";

/**
 * Offers `grads(` in the Debug Console of one session, by adding to the completions that its
 * adapter answers with. The editor reads a response after us; where it does not, or where the
 * message has another shape, nothing is offered and nothing else changes.
 */
export class ConsoleCompletions {
  /** Requests on their way at whose cursor a name that `grads` completes may stand. */
  private readonly wanted = new Set<number>();

  /** Notes a message of the editor. */
  sent(message: Message): void {
    const request = asRequest(message);
    if (request?.command !== "completions") return;
    const text = stringIn(request.arguments, "text");
    const column = numberIn(request.arguments, "column");
    if (text === undefined || column === undefined) return;
    const line = text.split("\n")[(numberIn(request.arguments, "line") ?? 1) - 1] ?? "";
    // A name of its own: not an attribute, and not the rest of another name.
    const typed = /(?:^|[^\w.])(\w*)$/.exec(line.slice(0, column - 1))?.[1];
    if (typed !== undefined && FUNCTION.startsWith(typed)) this.wanted.add(request.seq);
  }

  /** Adds to a response of the adapter, where one was wanted. */
  received(message: Message): void {
    const response = asResponse(message);
    if (response === undefined || !this.wanted.delete(response.request_seq)) return;
    const targets = response.success ? (response.body?.targets as unknown) : undefined;
    if (!Array.isArray(targets)) return;
    if (listIn(response.body, "targets").some((target) => stringIn(target, "label") === FUNCTION)) {
      return;
    }
    targets.push({ label: FUNCTION, text: `${FUNCTION}(`, type: "function" });
  }
}

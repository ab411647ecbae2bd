/**
 * The few shapes of the Debug Adapter Protocol that are read here. Messages come from any adapter,
 * so nothing is taken for granted: a field of another type counts as missing.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";

/** A message between the editor and an adapter. */
export type Message = DebugProtocol.ProtocolMessage;

/** The message as a request, where it is one. */
export function asRequest(message: Message): DebugProtocol.Request | undefined {
  return message?.type === "request" ? (message as DebugProtocol.Request) : undefined;
}

/** The message as a response, where it is one. */
export function asResponse(message: Message): DebugProtocol.Response | undefined {
  return message?.type === "response" ? (message as DebugProtocol.Response) : undefined;
}

/** The message as an event, where it is one. */
export function asEvent(message: Message): DebugProtocol.Event | undefined {
  return message?.type === "event" ? (message as DebugProtocol.Event) : undefined;
}

/** The number in a field, else undefined. */
export function numberIn(body: unknown, field: string): number | undefined {
  const value = fieldOf(body, field);
  return typeof value === "number" ? value : undefined;
}

/** The boolean in a field, else undefined. */
export function booleanIn(body: unknown, field: string): boolean | undefined {
  const value = fieldOf(body, field);
  return typeof value === "boolean" ? value : undefined;
}

/** The text in a field, else undefined. */
export function stringIn(body: unknown, field: string): string | undefined {
  const value = fieldOf(body, field);
  return typeof value === "string" ? value : undefined;
}

/** The list in a field, else an empty one. */
export function listIn(body: unknown, field: string): unknown[] {
  const value = fieldOf(body, field);
  return Array.isArray(value) ? value : [];
}

/** The value of a field of an object, else undefined. */
export function fieldOf(body: unknown, field: string): unknown {
  return typeof body === "object" && body !== null
    ? (body as Record<string, unknown>)[field]
    : undefined;
}

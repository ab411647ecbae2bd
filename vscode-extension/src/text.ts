/**
 * The text with nothing in it that the editor would draw as an icon. Quick picks and the status bar
 * read `$(name)`; a backslash before it makes it plain.
 */
export function escapeIcons(text: string): string {
  return text.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, "\\$&");
}

/**
 * The text with nothing in it that the editor would make a link of: notifications read
 * `[words](command:…)`, and a click on such a link runs the command. An invisible space keeps it text.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}

/** What an error says, in one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? text;
}

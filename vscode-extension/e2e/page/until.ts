export const TIMEOUT_MS = 30_000;
const BETWEEN_READS_MS = 40;

/**
 * The first value of `read` that is neither undefined, null nor false; read again until there is one.
 *
 * An error of `read` counts as "not yet" (elements vanish while a list is drawn again); the last one is
 * part of the error that is thrown when time is up.
 */
export async function until<Value>(
  what: string,
  read: () => Promise<Value | undefined | null | false> | Value | undefined | null | false,
  timeoutMs: number = TIMEOUT_MS,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  let problem = '';
  do {
    try {
      const value = await read();
      if (value !== undefined && value !== null && value !== false) return value;
      problem = '';
    } catch (error) {
      problem = `\n${error instanceof Error ? error.message : String(error)}`;
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_READS_MS));
  } while (performance.now() < deadline);
  throw new Error(`not within ${timeoutMs} ms: ${what}${problem}`);
}

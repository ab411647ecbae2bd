/** Types of debug sessions that are known to run Python, without asking them. */
const TYPES = /^(debugpy|python|Python Kernel Debug Adapter)$/;

/** Whether sessions of this type run Python. */
export function isPython(debuggerType: string): boolean {
  return TYPES.test(debuggerType);
}

/**
 * Ends every process of a test run. Debuggees and terminals leave the process group of the server that
 * started them, so all are known by a variable that they inherit.
 */
import fs from 'node:fs';

/** The ids of the processes whose environment has `name=value`, but for our own; Linux only, else none. */
export function processesWith(name, value) {
  const wanted = `${name}=${value}`;
  const found = [];
  for (const entry of fs.existsSync('/proc') ? fs.readdirSync('/proc') : []) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      if (fs.readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(wanted)) found.push(Number(entry));
    } catch {
      continue; // Ended meanwhile, or another user's.
    }
  }
  return found;
}

/** Kills them, at once; returns how many there were. */
export function killProcessesWith(name, value) {
  const found = processesWith(name, value);
  for (const id of found) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      continue; // Ended meanwhile.
    }
  }
  return found.length;
}

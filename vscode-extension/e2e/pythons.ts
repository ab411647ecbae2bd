/** A Python that is too old for GradPeek's server. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const VERSION = "import sys; print('%d.%d' % sys.version_info[:2])";
const OLD = ['3.9', '3.8', '3.7', '3.6'];

/** A Python 3 older than 3.10 from /usr/bin or pyenv; where there is none, a program in `folder` that answers like one. */
export function oldPython(folder: string): { path: string; version: string } {
  const pyenv = path.join(process.env['PYENV_ROOT'] ?? path.join(os.homedir(), '.pyenv'), 'versions');
  const installed = fs.existsSync(pyenv) ? fs.readdirSync(pyenv).map((name) => path.join(pyenv, name, 'bin/python')) : [];
  for (const candidate of [...OLD.map((version) => `/usr/bin/python${version}`), ...installed]) {
    const version = spawnSync(candidate, ['-c', VERSION], { encoding: 'utf8' }).stdout?.trim();
    if (version && OLD.includes(version)) return { path: candidate, version };
  }
  const standIn = path.join(folder, 'python3.8');
  fs.writeFileSync(standIn, `#!/bin/sh\necho "3.8 ${standIn}"\n`, { mode: 0o755 });
  return { path: standIn, version: '3.8' };
}

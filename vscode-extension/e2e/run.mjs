/**
 * Runs the end-to-end tests in a real VS Code; installs what they need first.
 *
 *   node vscode-extension/e2e/run.mjs [--vsix PATH] [--filter NAME] [-- VITEST-ARGUMENTS…]
 *
 * --vsix    the packaged extension; default: the newest `dist/gradpeek-*.vsix`
 * --filter  only test files whose name contains NAME; may be given several times
 *
 * The programs that are debugged run under $GRADPEEK_E2E_PYTHON, else the repository's .venv.
 * Exit status: 0 all passed, 1 a test failed, 2 wrong use, 3 nothing was run because something is missing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { killProcessesWith } from './processes.mjs';
import { prepare, sayThatNothingRan, SetupError } from './setup.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const REPOSITORY = path.resolve(HERE, '../..');
const RUN_MARK = 'GRADPEEK_E2E_RUN';
const NOTHING_RAN = 3;

async function main() {
  const { values, positionals } = parseArgs({
    options: { vsix: { type: 'string' }, filter: { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  const vsix = values.vsix ? path.resolve(values.vsix) : newestVsix();
  if (values.vsix && !fs.existsSync(vsix)) throw new SetupError(`${vsix} does not exist.\nBuild it with \`make vsix\`.`);
  const { cache, node, codeServer, tools, chromium } = prepare();
  const run = randomUUID();
  const environment = {
    ...process.env,
    [RUN_MARK]: run,
    GRADPEEK_E2E_NODE: node,
    GRADPEEK_E2E_CODE_SERVER: codeServer,
    GRADPEEK_E2E_CHROMIUM: chromium,
    GRADPEEK_E2E_PYTHON: python(),
    GRADPEEK_E2E_VITE_CACHE: path.join(cache, 'vite'),
    ...(vsix ? { GRADPEEK_E2E_VSIX: vsix } : {}),
  };
  const vitest = spawn(
    node,
    [path.join(tools, 'node_modules/vitest/vitest.mjs'), 'run', '--config', path.join(HERE, 'vitest.config.mjs'), ...values.filter, ...positionals],
    { cwd: HERE, env: environment, stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => vitest.kill(signal));
  const status = await new Promise((resolve, reject) => {
    vitest.once('error', reject);
    vitest.once('exit', (code) => resolve(code ?? 1));
  });
  const left = killProcessesWith(RUN_MARK, run);
  if (left > 0) process.stderr.write(`ended ${left} processes that the tests had left behind\n`);
  return status === 0 && left > 0 ? 1 : status;
}

/** The newest package in `dist/`, or undefined. */
function newestVsix() {
  const dist = path.join(REPOSITORY, 'dist');
  const found = fs.existsSync(dist) ? fs.readdirSync(dist).filter((name) => /^gradpeek-.*\.vsix$/.test(name)) : [];
  const time = (name) => fs.statSync(path.join(dist, name)).mtimeMs;
  const newest = found.sort((a, b) => time(b) - time(a))[0];
  return newest && path.join(dist, newest);
}

/** The Python of the debugged programs; it must have torch and debugpy. */
function python() {
  const found = process.env.GRADPEEK_E2E_PYTHON ?? path.join(REPOSITORY, '.venv/bin/python');
  const probe = spawnSync(found, ['-c', 'import importlib.util as u, sys; sys.exit(not (u.find_spec("torch") and u.find_spec("debugpy")))']);
  if (probe.status !== 0) throw new SetupError(`${found} is not a Python with torch and debugpy.\nRun \`make test\`, which makes .venv, or set GRADPEEK_E2E_PYTHON.`);
  return found;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof SetupError) {
    sayThatNothingRan(error);
    process.exitCode = NOTHING_RAN;
  } else if (error.code?.startsWith('ERR_PARSE_ARGS')) {
    process.stderr.write(`${error.message}\nusage: run.mjs [--vsix PATH] [--filter NAME] [-- VITEST-ARGUMENTS…]\n`);
    process.exitCode = 2;
  } else throw error;
}

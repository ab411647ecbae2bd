/**
 * Makes a real VS Code workbench available to the end-to-end tests: Node, code-server and the tests'
 * own packages from npm, into a cache outside the tree. Plain Node without packages, as it is what
 * installs them.
 *
 *   node vscode-extension/e2e/setup.mjs      installs what is missing and prints the cache folder
 *
 * Each part has a folder named by its version, is installed beside it and then renamed: a folder
 * that exists is whole. Only Chromium and a C++ compiler are taken from the system.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** code-server keeps a copy of VS Code in it; these are the native modules without which it does not start. */
const NATIVE_MODULES = ['@vscode/spdlog', '@vscode/native-watchdog'];

/** Something that the end-to-end tests need cannot be had here; the message says what to do. */
export class SetupError extends Error {}

/**
 * What the tests run on, installed where it was missing.
 *
 * @returns {{cache: string, node: string, codeServer: string, tools: string, chromium: string}} the
 *   cache folder; the `node` binary, code-server's entry point, the folder that holds the tests'
 *   `node_modules`, and the browser's binary.
 * @throws {SetupError} when a part cannot be had.
 */
export function prepare() {
  const chromium = findChromium();
  const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'gradpeek', 'e2e');
  fs.mkdirSync(cache, { recursive: true });
  const { workbench: versions } = JSON.parse(fs.readFileSync(path.join(HERE, 'package.json'), 'utf8'));

  const platform = `${process.platform}-${process.arch}`;
  const nodeHome = path.join(
    installed(cache, `node-${versions.node}-${platform}`, (folder) => {
      npm(['install', '--prefix', folder, `node-${platform}@${versions.node}`], { cwd: folder });
    }),
    `node_modules/node-${platform}`,
  );
  const node = path.join(nodeHome, 'bin', 'node');

  const codeServerHome = installed(cache, `code-server-${versions['code-server']}-node-${versions.node}-${platform}`, (folder) => {
    installCodeServer(folder, versions['code-server'], nodeHome);
  });

  const lock = fs.readFileSync(path.join(HERE, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const tools = installed(cache, `tools-${digest}-${platform}`, (folder) => {
    for (const file of ['package.json', 'package-lock.json']) fs.copyFileSync(path.join(HERE, file), path.join(folder, file));
    npm(['ci', '--ignore-scripts'], { cwd: folder, nodeHome });
  });
  linkTools(path.join(tools, 'node_modules'));
  return { cache, node, codeServer: path.join(codeServerHome, 'node_modules/code-server/out/node/entry.js'), tools, chromium };
}

/** Prints loudly that nothing was tested, and why; the caller exits with a status that is not 0. */
export function sayThatNothingRan(error) {
  const bar = '='.repeat(78);
  const reason = String(error.message ?? error).split('\n').map((line) => `  ${line}`).join('\n');
  process.stderr.write(`\n${bar}\n  THE END-TO-END TESTS IN VS CODE DID NOT RUN\n\n${reason}\n${bar}\n\n`);
}

/** The folder `cache/name`, made by `install(folder)` where it is missing; whole or not there at all. */
function installed(cache, name, install) {
  const folder = path.join(cache, name);
  if (fs.existsSync(folder)) return folder;
  process.stderr.write(`installing ${name}\n`);
  const unfinished = fs.mkdtempSync(path.join(cache, `.${name}-`));
  try {
    install(unfinished);
    try {
      fs.renameSync(unfinished, folder);
    } catch (error) {
      if (!fs.existsSync(folder)) throw error; // Another run was faster: its folder is as good.
    }
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/**
 * code-server without building its native modules but for two: the rest (Kerberos, keytar) is not
 * used by these tests and would need headers that few machines have.
 */
function installCodeServer(folder, version, nodeHome) {
  npm(['install', '--prefix', folder, `code-server@${version}`, '--ignore-scripts'], { cwd: folder, nodeHome });
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  for (const cwd of [vscode, path.join(vscode, 'extensions')]) npm(['install', '--omit=dev', '--ignore-scripts'], { cwd, nodeHome });
  npm(['rebuild', '--ignore-scripts=false', '--foreground-scripts', ...NATIVE_MODULES], { cwd: vscode, nodeHome });
  // The two links that code-server's own postinstall makes.
  fs.symlinkSync('code-linux.sh', path.join(vscode, 'bin/remote-cli/code-server.link'));
  fs.renameSync(path.join(vscode, 'bin/remote-cli/code-server.link'), path.join(vscode, 'bin/remote-cli/code-server'));
  fs.symlinkSync('browser-linux.sh', path.join(vscode, 'bin/helpers/browser.link'));
  fs.renameSync(path.join(vscode, 'bin/helpers/browser.link'), path.join(vscode, 'bin/helpers/browser.sh'));
}

/** Runs npm, under the Node in `nodeHome` where given (native modules are built for the Node that runs npm). */
function npm(args, { cwd, nodeHome }) {
  const env = { ...process.env };
  if (nodeHome) {
    env.PATH = `${path.join(nodeHome, 'bin')}${path.delimiter}${env.PATH}`;
    env.npm_config_nodedir = nodeHome;
  }
  const done = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (done.error?.code === 'ENOENT') throw new SetupError('npm was not found.\nInstall Node.js with npm (Debian: apt-get install nodejs npm).');
  if (done.status !== 0) {
    const tail = `${done.stdout ?? ''}${done.stderr ?? ''}`.trim().split('\n').slice(-15).join('\n');
    throw new SetupError(
      `npm ${args.join(' ')} failed (${done.error?.message ?? `exit status ${done.status}`}):\n${tail}\n\n` +
        'It needs the npm registry; code-server also needs python3, make and g++ (Debian: apt-get install python3 make g++).',
    );
  }
}

/** The path of a Chromium that starts: $GRADPEEK_CHROMIUM, else the first of the usual names on PATH. */
function findChromium() {
  const named = process.env.GRADPEEK_CHROMIUM;
  for (const candidate of named ? [named] : CHROMIUM_NAMES) {
    try {
      const found = named ?? execFileSync('sh', ['-c', 'command -v "$0"', candidate], { encoding: 'utf8' }).trim();
      execFileSync(found, ['--version'], { stdio: 'ignore', timeout: 30_000 });
      return found;
    } catch {
      continue; // Not there, or it does not start: the next name.
    }
  }
  throw new SetupError(
    `${named ? `GRADPEEK_CHROMIUM=${named} does not start.` : `No Chromium was found (looked for ${CHROMIUM_NAMES.join(', ')}).`}\n` +
      'Install one (Debian: apt-get install --no-install-recommends chromium fonts-dejavu-core fonts-wqy-microhei),\n' +
      'or set GRADPEEK_CHROMIUM to its path.',
  );
}

/** Lets the sources beside this file find the tests' packages: a link, so that the tree holds none. */
function linkTools(target) {
  const link = path.join(HERE, 'node_modules');
  const is = fs.lstatSync(link, { throwIfNoEntry: false });
  if (is?.isSymbolicLink() && fs.readlinkSync(link) === target) return;
  if (is && !is.isSymbolicLink()) throw new SetupError(`${link} is in the way of a link.\nRemove it: the packages live in the cache.`);
  const fresh = `${link}.${process.pid}`;
  fs.symlinkSync(target, fresh);
  fs.renameSync(fresh, link);
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${prepare().cache}\n`);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    sayThatNothingRan(error);
    process.exitCode = 1;
  }
}

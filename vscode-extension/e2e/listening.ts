/** A program under debugpy that waits for a debugger to attach, as users start one on another machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';

export interface Listening {
  port: number;
  /** What the program has printed so far. */
  output(): string;
  /** Its exit status. */
  exited: Promise<number | null>;
  kill(): void;
}

/** Starts a program that runs once a debugger is there; it listens when this returns. */
export async function listenForDebugger(program: string): Promise<Listening> {
  const port = await freePort();
  const python = process.env['GRADPEEK_E2E_PYTHON'] ?? 'python3';
  const listen = ['--listen', `127.0.0.1:${port}`, '--wait-for-client'];
  const child = spawn(python, ['-m', 'debugpy', '--log-to-stderr', ...listen, program], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await waits(child, exited);
  return { port, output: () => printed, exited, kill: () => child.kill('SIGKILL') };
}

/** Reads its log until it says that it waits: a connection to find that out would be taken for the debugger. */
function waits(child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('wait_for_client()')) resolve();
    });
    void exited.then((code) => reject(new Error(`debugpy ended with ${code}:\n${log.slice(-2000)}`)));
  });
}

/** A port that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildControlPlane } from '#control-plane/build.ts';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const root = join(import.meta.dirname, '../..');

export const BUILT_FOLDER = 'test/dist/control-plane';

/** The built programs that `npm run control-plane` and `npm start` run. */
export const built = {
  controlPlane: `${BUILT_FOLDER}/control-plane.js`,
  local: `${BUILT_FOLDER}/local.js`,
};

export interface Program {
  child: ChildProcess;
  /** All of its output so far, on both streams. */
  output(): string;
  /** Resolves when its output matches. */
  waitForOutput(text: string | RegExp): Promise<void>;
  /** Ends it; returns its exit code, or the name of the signal. */
  stop(signal?: NodeJS.Signals): Promise<number | string | null>;
}

/** The options of Node in the npm scripts of some programs. */
const nodeOptions: Record<string, readonly string[]> = {
  'agent/headless.ts': ['--max-semi-space-size=8'],
};

/**
 * Runs a program of the project as a process with the options of its npm script. `commandPrefix`
 * is a command that runs another one, such as `nice`.
 */
export const startProgram = (
  program: string,
  env: Record<string, string>,
  commandPrefix: readonly string[] = [],
): Program =>
  // The certificates that this machine trusts, and its TPM, must not influence a test.
  startCommand(
    [...commandPrefix, process.execPath, ...(nodeOptions[program] ?? []), join(root, program)],
    {
      AGENT_SYSTEM_TRUST: 'off',
      AGENT_TPM: 'off',
      ...env,
    },
  );

/** Runs a command as a process. */
export function startCommand(
  [program = '', ...args]: readonly string[],
  env: Record<string, string> = {},
): Program {
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const watcher of watchers) watcher();
    });
  return {
    child,
    output: () => text,
    waitForOutput: (expected) =>
      new Promise((resolve, reject) => {
        const ended = (): void =>
          reject(new Error(`${args.at(-1) ?? program} ended without ${expected}:\n${text}`));
        const readOutput = (): void => {
          if (typeof expected === 'string' ? !text.includes(expected) : !expected.test(text))
            return;
          watchers.delete(readOutput);
          child.off('exit', ended);
          resolve();
        };
        watchers.add(readOutput);
        child.once('exit', ended);
        readOutput();
      }),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill(signal);
        await gone;
      }
      return child.exitCode ?? child.signalCode;
    },
  };
}

/**
 * Reads every 50 ms until the result satisfies the condition. The time limit of the test ends it.
 */
export async function pollUntil<T>(
  read: () => Promise<T> | T,
  done: (value: T) => boolean,
): Promise<T> {
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Builds the control plane once for all tests, into a separate folder: programs of this checkout
 * may be running.
 */
export default (): Promise<void> => buildControlPlane(join(root, BUILT_FOLDER));

/**
 * Returns a port that is free. It is below the ports that systems assign to clients and to servers
 * without a fixed port, so only another call of this function could take it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

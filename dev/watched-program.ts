import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Code, watchCode } from './watch-code.ts';

export interface WatchedProgram {
  /** The path of its file. */
  program: string;
  env: NodeJS.ProcessEnv;
  code: Code;
  /** Called with each line of the program's output and each event of its process. */
  print: (line: string) => void;
  /** The program has exited; it restarts when its code changes. */
  onEnd: (how: string) => void;
}

export interface RunningProgram {
  /** Resolves on the program's first message. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

/** Runs a program and restarts it when its code changes. */
export function runWatched({ program, env, code, print, onEnd }: WatchedProgram): RunningProgram {
  const stopped = new WeakSet<ChildProcess>();
  const start = (): ChildProcess => {
    // In its own process group, so that Ctrl-C reaches it only through us. The IPC channel closes
    // with us, which ends the program.
    const child = fork(program, { env, silent: true, detached: true });
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface(stream).on('line', print);
    // All output has been read when this event arrives.
    child.on('close', (exitCode, signal) => {
      if (!stopped.has(child)) onEnd(signal ?? `exit code ${exitCode}`);
    });
    return child;
  };
  const stop = (child: ChildProcess): Promise<void> => {
    stopped.add(child);
    return ended(child);
  };

  let current = start();
  let stopping = false;
  let restarts = Promise.resolve();
  const restart = async (): Promise<void> => {
    await stop(current);
    if (stopping) return;
    print('code changed, starting again');
    current = start();
  };
  const unwatch = watchCode(code, {
    onChange: () => {
      restarts = restarts.then(restart);
    },
    onError: (error) => print(`code is not watched: ${error.message}`),
  });
  return {
    ready: new Promise((resolve) => current.once('message', () => resolve())),
    async stop() {
      stopping = true;
      unwatch();
      await restarts;
      await stop(current);
    },
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

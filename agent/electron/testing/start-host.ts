import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Action } from './actions.ts';
import type { HostOptions } from './host.ts';

export interface Host {
  perform(action: Action): Promise<unknown>;
  /** The content of stderr so far. */
  log(): string;
  /** Resolves once stderr matches; rejects if the process ends before. */
  logged(pattern: RegExp): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or the signal that ended the process. */
  ended: Promise<number | NodeJS.Signals>;
  kill(): Promise<void>;
}

const host = new URL('./host.ts', import.meta.url);

/** Starts a built app with the stand-in for Electron as a child process. */
export function startHost(
  main: string,
  env: Record<string, string>,
  options: Partial<HostOptions> = {},
): Host {
  const full: HostOptions = { packaged: true, isFirst: true, platform: 'linux', ...options };
  const child = fork(host, [main, JSON.stringify(full)], {
    env: { PATH: '/usr/bin:/bin', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = once(child, 'close').then(([code, signal]) => {
    for (const one of waiting.values()) one.reject(new Error(`the app has ended: ${log}`));
    return (code ?? signal) as number | NodeJS.Signals;
  });
  child.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });

  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    child.emit('log');
  });
  let lastId = 0;
  return {
    perform(action) {
      const answer = Promise.withResolvers<unknown>();
      waiting.set((lastId += 1), answer);
      child.send({ id: lastId, action });
      return answer.promise;
    },
    log: () => log,
    async logged(pattern) {
      const over = ended.then(() => 'over');
      while (!pattern.test(log))
        if ((await Promise.race([once(child, 'log'), over])) === 'over' && !pattern.test(log))
          throw new Error(`the app has ended: ${log}`);
    },
    signal: (signal) => void child.kill(signal),
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';

/** What a program in another network can be asked to do, over the channel to its parent. */
export type Methods = Record<string, (...args: never[]) => unknown>;

type Question = { id: number; method: string; args: never[] };
type Answer = { id: number; result?: unknown; error?: string } | { event: string; value: unknown };

/** In the child: answers what the parent asks, and says what happens. */
export function serve(methods: Methods): (event: string, value: unknown) => void {
  const say = (answer: Answer): void => void process.send?.(answer);
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, method, args }: Question) => {
    Promise.try(() => methods[method]?.(...args)).then(
      (result) => say({ id, result }),
      (error: Error) => say({ id, error: error.message }),
    );
  });
  say({ event: 'ready', value: null });
  return (event, value) => say({ event, value });
}

type Asked<T extends Methods> = {
  [K in keyof T]: (...args: Parameters<T[K]>) => Promise<Awaited<ReturnType<T[K]>>>;
};

/** In the parent: a program that serves. */
export interface Remote<T extends Methods> {
  child: ChildProcess;
  ask: Asked<T>;
  /** The next value that it says of this event; those that came before are kept. */
  next: (event: string) => Promise<unknown>;
  /** All values of this event that have not been read yet. */
  said: (event: string) => unknown[];
}

export async function startRemote<T extends Methods>(child: ChildProcess): Promise<Remote<T>> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const values = new Map<string, unknown[]>();
  const saying = new EventEmitter();
  const said = (event: string): unknown[] => {
    const kept = values.get(event) ?? [];
    values.set(event, kept);
    return kept;
  };
  let asked = 0;
  child.on('message', (answer: Answer) => {
    if ('event' in answer) {
      said(answer.event).push(answer.value);
      saying.emit(answer.event);
    } else if (answer.error === undefined) waiting.get(answer.id)?.resolve(answer.result);
    else waiting.get(answer.id)?.reject(new Error(answer.error));
  });
  const ask = new Proxy({} as Asked<T>, {
    get:
      (_, method: string) =>
      (...args: unknown[]) => {
        asked += 1;
        const answer = Promise.withResolvers<unknown>();
        waiting.set(asked, answer);
        child.send({ id: asked, method, args });
        return answer.promise;
      },
  });
  const next = async (event: string): Promise<unknown> => {
    while (said(event).length === 0) await once(saying, event);
    return said(event).shift();
  };
  await next('ready');
  return { child, ask, next, said };
}

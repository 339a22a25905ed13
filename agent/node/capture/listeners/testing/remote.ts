import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';

/** The methods of a program in another network, called over the channel to its parent. */
export type Methods = Record<string, (...args: never[]) => unknown>;

interface RemoteCall {
  id: number;
  method: string;
  args: never[];
}
type RemoteMessage =
  | { id: number; result?: unknown; error?: string }
  | { event: string; value: unknown };

/** Runs in the child: answers the calls of the parent, and returns a function that emits events. */
export function serve(methods: Methods): (event: string, value: unknown) => void {
  const send = (answer: RemoteMessage): void => void process.send?.(answer);
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, method, args }: RemoteCall) => {
    Promise.try(() => methods[method]?.(...args)).then(
      (result) => send({ id, result }),
      (error: Error) => send({ id, error: error.message }),
    );
  });
  send({ event: 'ready', value: null });
  return (event, value) => send({ event, value });
}

type RemoteMethods<T extends Methods> = {
  [K in keyof T]: (...args: Parameters<T[K]>) => Promise<Awaited<ReturnType<T[K]>>>;
};

/** A program that serves, as seen from the parent. */
export interface Remote<T extends Methods> {
  child: ChildProcess;
  call: RemoteMethods<T>;
  /** Returns the next value of this event; earlier values are queued. */
  next: (event: string) => Promise<unknown>;
  /** Returns all values of this event that have not been read yet. */
  events: (event: string) => unknown[];
}

export async function startRemote<T extends Methods>(child: ChildProcess): Promise<Remote<T>> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const valuesByEvent = new Map<string, unknown[]>();
  const emitter = new EventEmitter();
  const events = (event: string): unknown[] => {
    const values = valuesByEvent.get(event) ?? [];
    valuesByEvent.set(event, values);
    return values;
  };
  let lastId = 0;
  child.on('message', (answer: RemoteMessage) => {
    if ('event' in answer) {
      events(answer.event).push(answer.value);
      emitter.emit(answer.event);
    } else if (answer.error === undefined) waiting.get(answer.id)?.resolve(answer.result);
    else waiting.get(answer.id)?.reject(new Error(answer.error));
  });
  const call = new Proxy({} as RemoteMethods<T>, {
    get:
      (_, method: string) =>
      (...args: unknown[]) => {
        lastId += 1;
        const answer = Promise.withResolvers<unknown>();
        waiting.set(lastId, answer);
        child.send({ id: lastId, method, args });
        return answer.promise;
      },
  });
  const next = async (event: string): Promise<unknown> => {
    while (events(event).length === 0) await once(emitter, event);
    return events(event).shift();
  };
  await next('ready');
  return { child, call, next, events };
}

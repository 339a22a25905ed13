import type { ConnectionObserver } from '../exchange.ts';

/** The bytes of a connection, in the order in which they were sent. */
export type Conversation = readonly Transmission[];

export interface Transmission {
  from: 'client' | 'server';
  bytes: Uint8Array;
}

export function replay(observer: ConnectionObserver, conversation: Iterable<Transmission>): void {
  for (const { from, bytes } of conversation)
    if (from === 'client') observer.fromClient(bytes);
    else observer.fromServer(bytes);

  observer.clientEnded();
  observer.serverEnded();
}

/** Joins consecutive bytes of one side into one chunk. */
export function inTurns(conversation: Conversation): Transmission[] {
  const turns: { from: Transmission['from']; parts: Uint8Array[] }[] = [];
  for (const { from, bytes } of conversation) {
    const last = turns.at(-1);
    if (last?.from === from) last.parts.push(bytes);
    else turns.push({ from, parts: [bytes] });
  }
  return turns.map(({ from, parts }) => ({ from, bytes: concatenated(parts) }));
}

/**
 * Splits the conversation into chunks of these sizes, repeated. Each chunk is overwritten once the
 * next one is requested, because a relay may reuse its buffers.
 */
export function* inChunks(
  conversation: Conversation,
  sizes: readonly number[],
): Generator<Transmission> {
  let i = 0;
  for (const { from, bytes } of inTurns(conversation))
    for (let at = 0; at < bytes.length;) {
      const size = sizes[i++ % sizes.length] ?? 1;
      const chunk = Uint8Array.from(bytes.subarray(at, at + size));
      yield { from, bytes: chunk };
      chunk.fill(0xee);
      at += size;
    }
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function client(...frames: readonly Uint8Array[]): Transmission {
  return { from: 'client', bytes: concatenated(frames) };
}

export function server(...frames: readonly Uint8Array[]): Transmission {
  return { from: 'server', bytes: concatenated(frames) };
}

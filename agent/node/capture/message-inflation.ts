import { constants, inflateRawSync } from 'node:zlib';
import type { ObservedMessage } from '#agent/core/capture/wire/exchange.ts';

/** What a sender leaves out at the end of each message (RFC 7692, 7.2.1). */
const TAIL = Buffer.from([0, 0, 0xff, 0xff]);

/** The largest window of DEFLATE: how far back a message may refer to earlier ones of its side. */
const WINDOW = 32 * 1024;

interface Side {
  keepsContext: boolean;
  /** The end of what it said so far; null once something is missing in it. */
  window: Buffer | null;
}

/**
 * The messages of a WebSocket without `permessage-deflate` (RFC 7692). One that cannot be inflated is
 * left out, and with it those after it that may refer to it.
 */
export function inflateMessages(
  messages: readonly ObservedMessage[],
  extensions: string | null,
  mostBytes: number,
): ObservedMessage[] {
  const sideOf = (from: ObservedMessage['from']): Side => ({
    keepsContext: !extensions?.includes(`${from}_no_context_takeover`),
    window: Buffer.alloc(0),
  });
  const sides = { client: sideOf('client'), server: sideOf('server') };
  return messages.flatMap((message) => {
    if (!message.compressed) return [message];
    const bytes = inflate(message, sides[message.from], mostBytes);
    return bytes ? [{ ...message, bytes, compressed: false }] : [];
  });
}

function inflate(message: ObservedMessage, side: Side, mostBytes: number): Buffer | null {
  if (!side.window || message.truncated) {
    side.window = side.keepsContext ? null : side.window;
    return null;
  }
  try {
    const bytes = inflateRawSync(Buffer.concat([message.bytes, TAIL]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: mostBytes,
      ...(side.window.length > 0 && { dictionary: side.window }),
    });
    if (side.keepsContext) side.window = Buffer.concat([side.window, bytes]).subarray(-WINDOW);
    return bytes;
  } catch {
    if (side.keepsContext) side.window = null;
    return null;
  }
}

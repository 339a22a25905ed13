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

/** Takes `permessage-deflate` (RFC 7692) off the messages of one WebSocket. */
export type MessageInflater = (messages: readonly ObservedMessage[]) => ObservedMessage[];

/**
 * The inflater of a WebSocket whose server answered these extensions; its pieces have to come in
 * order, as messages refer to earlier ones. One that cannot be inflated is left out, and with it those
 * after it that may refer to it; so is what goes beyond `mostBytes` for each piece.
 */
export function createMessageInflater(
  extensions: string | null,
  mostBytes: number,
): MessageInflater {
  const sideOf = (from: ObservedMessage['from']): Side => ({
    keepsContext: !extensions?.includes(`${from}_no_context_takeover`),
    window: Buffer.alloc(0),
  });
  const sides = { client: sideOf('client'), server: sideOf('server') };
  return (messages) => {
    let left = mostBytes;
    return messages.flatMap((message) => {
      if (!message.compressed) return [message];
      const bytes = inflate(message, sides[message.from], left);
      if (!bytes) return [];
      left -= bytes.length;
      return [{ ...message, bytes, compressed: false }];
    });
  };
}

function inflate(message: ObservedMessage, side: Side, mostBytes: number): Buffer | null {
  const bytes = message.truncated || mostBytes <= 0 ? null : inflateOne(message, side, mostBytes);
  if (side.keepsContext)
    side.window = bytes && side.window && Buffer.concat([side.window, bytes]).subarray(-WINDOW);
  return bytes;
}

function inflateOne({ bytes }: ObservedMessage, { window }: Side, mostBytes: number) {
  if (!window) return null;
  try {
    return inflateRawSync(Buffer.concat([bytes, TAIL]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: mostBytes,
      ...(window.length > 0 && { dictionary: window }),
    });
  } catch {
    return null;
  }
}

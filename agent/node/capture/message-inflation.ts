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
 * Takes `permessage-deflate` (RFC 7692) off the messages of one WebSocket. What it inflates is taken
 * from the budget first: `take` answers false where there is no room.
 */
export type MessageInflater = (
  messages: readonly ObservedMessage[],
  take: (bytes: number) => boolean,
) => ObservedMessage[];

export interface InflationLimits {
  /** Of one message. */
  mostMessageBytes: number;
  /** Of a piece; what was inflated in vain counts too, for it took as long. */
  mostPieceBytes: number;
}

/** The largest ratio of DEFLATE (zlib, "Maximum Compression Factor"). */
const LARGEST_RATIO = 1032;

/**
 * Inflates the messages of a WebSocket with these negotiated extensions. Pieces must arrive in
 * order, because messages refer to earlier ones. A message that cannot be inflated is dropped, with
 * later ones that may refer to it; so is anything beyond the limits or the budget. Binary messages
 * stay as they are, because they are not parsed.
 */
export function createMessageInflater(
  extensions: string | null,
  { mostMessageBytes, mostPieceBytes }: InflationLimits,
): MessageInflater {
  const sideOf = (from: ObservedMessage['from']): Side => ({
    keepsContext: !extensions?.includes(`${from}_no_context_takeover`),
    window: Buffer.alloc(0),
  });
  const sides = { client: sideOf('client'), server: sideOf('server') };
  return (messages, take) => {
    let left = mostPieceBytes;
    return messages.flatMap((message) => {
      if (!message.compressed) return [message];
      const side = sides[message.from];
      const isText = message.opcode === 'text';
      if (!isText && !side.keepsContext) return [message];
      const most = Math.min(left, mostMessageBytes);
      const bytes = inflate(message, side, most);
      left -= bytes?.length ?? Math.min(most, message.bytes.length * LARGEST_RATIO);
      if (!isText) return [message];
      return bytes && take(bytes.length) ? [{ ...message, bytes, compressed: false }] : [];
    });
  };
}

function inflate(message: ObservedMessage, side: Side, mostBytes: number): Buffer | null {
  const bytes = message.truncated || mostBytes <= 0 ? null : inflateOne(message, side, mostBytes);
  if (side.keepsContext) side.window = bytes && side.window && windowAfter(side.window, bytes);
  return bytes;
}

/** A copy that keeps no large message in memory. */
const windowAfter = (window: Buffer, bytes: Buffer): Buffer =>
  Buffer.concat([window, bytes.subarray(-WINDOW)]).subarray(-WINDOW);

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

import { constants, inflateRawSync } from 'node:zlib';
import type { ObservedMessage } from '#agent/core/capture/wire/exchange.ts';

/** The bytes that a sender omits at the end of each message (RFC 7692, 7.2.1). */
const OMITTED_TAIL = Buffer.from([0, 0, 0xff, 0xff]);

/**
 * The largest window of DEFLATE: how far back a message may refer to earlier ones of the same side.
 */
const WINDOW_BYTES = 32 * 1024;

interface SideState {
  keepsContext: boolean;
  /** The last bytes that this side sent, inflated; null once some of them are missing. */
  window: Buffer | null;
}

/**
 * Decompresses the `permessage-deflate` messages (RFC 7692) of one WebSocket. Inflated bytes are
 * reserved in the budget first: `reserve` returns false if the budget is exhausted.
 */
export type MessageInflater = (
  messages: readonly ObservedMessage[],
  reserve: (bytes: number) => boolean,
) => ObservedMessage[];

export interface InflationLimits {
  /** The limit of one message. */
  maxMessageBytes: number;
  /** The limit of one call; discarded bytes count too, because inflating them took time. */
  maxPieceBytes: number;
}

/** The largest compression ratio of DEFLATE (zlib, "Maximum Compression Factor"). */
const MAX_RATIO = 1032;

/**
 * Inflates the messages of a WebSocket with these negotiated extensions. Pieces must arrive in
 * order, because messages refer to earlier ones. A text message that cannot be inflated is dropped,
 * and so are later ones that may refer to it and messages beyond the limits or the budget. Binary
 * messages stay compressed, because they are not parsed.
 */
export function createMessageInflater(
  extensions: string | null,
  { maxMessageBytes, maxPieceBytes }: InflationLimits,
): MessageInflater {
  const createSender = (from: ObservedMessage['from']): SideState => ({
    keepsContext: !extensions?.includes(`${from}_no_context_takeover`),
    window: Buffer.alloc(0),
  });
  const senders = { client: createSender('client'), server: createSender('server') };
  return (messages, reserve) => {
    let remainingBytes = maxPieceBytes;
    return messages.flatMap((message) => {
      if (!message.compressed) return [message];
      const sender = senders[message.from];
      const isText = message.opcode === 'text';
      if (!isText && !sender.keepsContext) return [message];
      const limit = Math.min(remainingBytes, maxMessageBytes);
      const bytes = inflate(message, sender, limit);
      remainingBytes -= bytes?.length ?? Math.min(limit, message.bytes.length * MAX_RATIO);
      if (!isText) return [message];
      return bytes && reserve(bytes.length) ? [{ ...message, bytes, compressed: false }] : [];
    });
  };
}

function inflate(message: ObservedMessage, sender: SideState, maxBytes: number): Buffer | null {
  const bytes = message.truncated || maxBytes <= 0 ? null : inflateOne(message, sender, maxBytes);
  if (sender.keepsContext)
    sender.window = bytes && sender.window && windowAfter(sender.window, bytes);
  return bytes;
}

/** Copies the window, so that it does not keep a large message in memory. */
const windowAfter = (window: Buffer, bytes: Buffer): Buffer =>
  Buffer.concat([window, bytes.subarray(-WINDOW_BYTES)]).subarray(-WINDOW_BYTES);

function inflateOne({ bytes }: ObservedMessage, { window }: SideState, maxBytes: number) {
  if (!window) return null;
  try {
    return inflateRawSync(Buffer.concat([bytes, OMITTED_TAIL]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: maxBytes,
      ...(window.length > 0 && { dictionary: window }),
    });
  } catch {
    return null;
  }
}

import {
  type Frame,
  frameOf,
  headerLength,
  MAX_HEADER_LENGTH,
  unmasked,
} from '../wire/websocket-frames.ts';

/** A complete client frame. */
export interface SocketFrame {
  head: Frame;
  /** The frame as received. */
  bytes: Uint8Array;
  /** The unmasked payload. */
  payload: Uint8Array;
}

export interface FrameSplitter {
  /** @throws Error for invalid WebSocket data and for a frame that is too long */
  add: (chunk: Uint8Array) => void;
  /** Returns and discards the bytes of an incomplete frame. */
  takeIncomplete: () => Uint8Array;
}

/** Splits a byte stream into complete frames. */
export function createFrameSplitter(
  maxBytes: number,
  onFrame: (frame: SocketFrame) => void,
): FrameSplitter {
  let parts: Uint8Array[] = [];
  let length = 0;
  let wanted = 2; // bytes needed next

  const replaceParts = (bytes: Uint8Array): void => {
    parts = [bytes];
    length = bytes.length;
  };

  return {
    add: (chunk) => {
      parts.push(chunk.slice());
      length += chunk.length;
      while (length >= wanted) {
        const bytes = concat(parts);
        replaceParts(bytes);
        const size = frameSize(bytes);
        if (size > maxBytes) throw new Error(`a message over ${maxBytes} bytes`);
        wanted = size;
        if (length < size) continue;
        replaceParts(bytes.subarray(size));
        wanted = 2;
        onFrame(frameFrom(bytes.subarray(0, size)));
      }
    },
    takeIncomplete: () => {
      const rest = concat(parts);
      replaceParts(new Uint8Array());
      return rest;
    },
  };
}

/** The known minimum size: of the header, or of the whole frame. */
function frameSize(bytes: Uint8Array): number {
  const headBytes = headerLength(bytes);
  return bytes.length < headBytes ? headBytes : headBytes + frameOf(headOf(bytes)).length;
}

/** The bytes that `frameOf` reads, in their own buffer. */
function headOf(bytes: Uint8Array): Uint8Array {
  const head = new Uint8Array(MAX_HEADER_LENGTH);
  head.set(bytes.subarray(0, MAX_HEADER_LENGTH));
  return head;
}

function frameFrom(bytes: Uint8Array): SocketFrame {
  const head = frameOf(headOf(bytes));
  const payload = bytes.subarray(headerLength(bytes));
  return { head, bytes, payload: head.key ? unmasked(payload, head.key) : payload };
}

/** Encodes a frame that is a complete message. Clients need a `mask` (RFC 6455, 5.3). */
export function encodeFrame(opcode: number, payload: Uint8Array, mask?: Uint8Array): Uint8Array {
  const { length } = payload;
  const extended = length > 65_535 ? 8 : length > 125 ? 2 : 0;
  const at = 2 + extended;
  const frame = new Uint8Array(at + (mask ? 4 : 0) + length);
  frame[0] = 0x80 | opcode;
  frame[1] = (mask ? 0x80 : 0) | (extended === 8 ? 127 : extended === 2 ? 126 : length);
  const view = new DataView(frame.buffer);
  if (extended === 2) view.setUint16(2, length);
  if (extended === 8) view.setUint32(6, length);
  if (mask) frame.set(mask, at);
  frame.set(payload, frame.length - length);
  if (mask)
    for (let i = 0; i < length; i += 1) frame[at + 4 + i] = (payload[i] ?? 0) ^ (mask[i & 3] ?? 0);
  return frame;
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

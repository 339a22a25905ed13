import {
  type Frame,
  frameOf,
  headerLength,
  MAX_HEADER_LENGTH,
  unmasked,
} from '../wire/websocket-frames.ts';

/** A whole frame of a client. */
export interface SocketFrame {
  head: Frame;
  /** As it was sent. */
  bytes: Uint8Array;
  /** Not masked any more. */
  payload: Uint8Array;
}

export interface FrameSplitter {
  /** @throws Error at what is not WebSocket, or at a frame that is too long */
  add: (chunk: Uint8Array) => void;
  /** Returns what has not become a frame, and forgets it. */
  takeRest: () => Uint8Array;
}

/** Whole frames out of bytes that are cut anywhere. */
export function createFrameSplitter(
  maxBytes: number,
  onFrame: (frame: SocketFrame) => void,
): FrameSplitter {
  let parts: Uint8Array[] = [];
  let length = 0;
  let wanted = 2; // bytes until more is known of the frame

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
    takeRest: () => {
      const rest = concat(parts);
      replaceParts(new Uint8Array());
      return rest;
    },
  };
}

/** As far as it is known: of the head, or of the whole frame. */
function frameSize(bytes: Uint8Array): number {
  const headBytes = headerLength(bytes);
  return bytes.length < headBytes ? headBytes : headBytes + frameOf(headOf(bytes)).length;
}

/** What `frameOf` reads, in a buffer of its own. */
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

/** One frame that is a whole message; `mask`: of a client (RFC 6455, 5.3). */
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

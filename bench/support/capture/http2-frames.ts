/**
 * The parts of HTTP/2 (RFC 9113, 7541) that a load generator needs, which must cost less than the
 * measured program.
 */

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export const frameType = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
} as const;
export const END_STREAM = 0x1;
const ACK = 0x1;
const END_HEADERS = 0x4;
const HEAD = 9;

export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** Creates a message as frames. Its stream id is inserted when it is sent. */
export function createMessage(block: Buffer, body: Buffer): (streamId: number) => Buffer {
  const headers = frame(frameType.headers, END_HEADERS, 0, block);
  const whole = Buffer.concat([headers, frame(frameType.data, END_STREAM, 0, body)]);
  return (streamId) => {
    const copy = Buffer.from(whole);
    copy.writeUInt32BE(streamId, 5);
    copy.writeUInt32BE(streamId, headers.length + 5);
    return copy;
  };
}

const LARGEST_WINDOW = 2 ** 31 - 1;

/** SETTINGS and WINDOW_UPDATE with windows that are so large that no side ever waits. */
export function openingFrames(): Buffer {
  const settings = Buffer.alloc(6);
  settings.writeUInt16BE(4, 0); // SETTINGS_INITIAL_WINDOW_SIZE
  settings.writeUInt32BE(LARGEST_WINDOW, 2);
  const increment = Buffer.alloc(4);
  increment.writeUInt32BE(LARGEST_WINDOW - 65_535);
  return Buffer.concat([frame(frameType.settings, 0, 0, settings), frame(8, 0, 0, increment)]);
}

export interface Frame {
  type: number;
  flags: number;
  streamId: number;
  payload: Buffer;
}

export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let before: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = before.length > 0 ? Buffer.concat([before, chunk]) : chunk;
    let at = 0;
    while (bytes.length - at >= HEAD) {
      const end = at + HEAD + bytes.readUIntBE(at, 3);
      if (end > bytes.length) break;
      const streamId = bytes.readUInt32BE(at + 5);
      const payload = bytes.subarray(at + HEAD, end);
      onFrame({ type: bytes[at + 3] ?? 0, flags: bytes[at + 4] ?? 0, streamId, payload });
      at = end;
    }
    before = bytes.subarray(at);
  };
}

/** The acknowledgement of a frame, if it needs one. */
export function acknowledgement({ type, flags, payload }: Frame): Buffer | null {
  if (type === frameType.goAway) throw new Error('the peer sent GOAWAY');
  if (flags & ACK) return null;
  if (type === frameType.settings) return frame(frameType.settings, ACK, 0);
  return type === frameType.ping ? frame(frameType.ping, ACK, 0, payload) : null;
}

export type Field = readonly [name: string, value: string];

/**
 * The header block of a connection's first message, which fills the dynamic table, and that of
 * later messages, which refers to it, as with a client that repeats its headers.
 */
export function headerBlocks(fields: readonly Field[]): { first: Buffer; next: Buffer } {
  const literals = fields.flatMap(([name, value]) => [
    Buffer.from([0x40]),
    stringOf(name),
    stringOf(value),
  ]);
  // The index 62 is that of the most recent entry (RFC 7541, 2.3.3).
  const indexes = fields.map((_, i) => 0x80 | (62 + fields.length - 1 - i));
  return { first: Buffer.concat(literals), next: Buffer.from(indexes) };
}

/** Encodes a string that is shorter than 127 bytes, without Huffman coding. */
const stringOf = (text: string): Buffer =>
  Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);

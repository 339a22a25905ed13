/** Content of one side's frames (RFC 6455, 5.2). Ping and pong are omitted. */
export interface WebSocketFrameEvents {
  /** The first frame of a message. */
  begin: (opcode: 'text' | 'binary', compressed: boolean) => void;
  /** Part of a payload, to be unmasked with `key`. */
  part: (bytes: Uint8Array, key: MaskingKey | null) => void;
  end: () => void;
  close: () => void;
}

/** Four bytes; the first applies to the first byte of the part. */
export type MaskingKey = readonly [number, number, number, number];

/** The header of a frame. */
export interface Frame {
  isFinal: boolean;
  isControl: boolean;
  opcode: number;
  compressed: boolean;
  length: number;
  key: MaskingKey | null;
}

const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
export const MAX_HEADER_LENGTH = 14;

export interface WebSocketReader {
  read: (chunk: Uint8Array) => void;
  /** Whether no message is incomplete. */
  isBetweenMessages: () => boolean;
}

/** Parses the frames of one side from chunks of any size. */
export function createWebSocketReader(events: WebSocketFrameEvents): WebSocketReader {
  const head = new Uint8Array(MAX_HEADER_LENGTH);
  let headBytes = 0;
  let frame: Frame | null = null;
  let done = 0; // bytes of its payload
  let isInMessage = false;

  function readHead(chunk: Uint8Array, at: number): number {
    head[headBytes++] = chunk[at] ?? 0;
    if (headBytes < 2 || headBytes < headerLength(head)) return at + 1;
    headBytes = 0;
    done = 0;
    frame = frameOf(head);
    begin(frame);
    if (frame.length === 0) end(frame);
    return at + 1;
  }

  function begin({ isControl, opcode, compressed }: Frame): void {
    if (isControl) return;
    if (isInMessage !== (opcode === CONTINUATION)) throw new Error('fragments out of order');
    if (isInMessage && compressed) throw new Error('RSV1 in a continuation frame');
    if (!isInMessage) events.begin(opcode === TEXT ? 'text' : 'binary', compressed);
    isInMessage = true;
  }

  function readPayload(of: Frame, chunk: Uint8Array, at: number): number {
    const count = Math.min(of.length - done, chunk.length - at);
    if (!of.isControl) events.part(chunk.subarray(at, at + count), rotated(of.key, done));
    done += count;
    if (done === of.length) end(of);
    return at + count;
  }

  function end({ isControl, isFinal, opcode }: Frame): void {
    frame = null;
    if (opcode === CLOSE) events.close();
    if (isControl || !isFinal) return;
    isInMessage = false;
    events.end();
  }

  return {
    read(chunk) {
      for (let at = 0; at < chunk.length;)
        at = frame ? readPayload(frame, chunk, at) : readHead(chunk, at);
    },
    isBetweenMessages: () => !isInMessage && frame === null && headBytes === 0,
  };
}

/** Returns the length of the header. At least two of its bytes must be available. */
export function headerLength(head: Uint8Array): number {
  const second = head[1] ?? 0;
  const code = second & 0x7f;
  const extended = code === 127 ? 8 : code === 126 ? 2 : 0;
  return 2 + extended + (second & 0x80 ? 4 : 0);
}

export function frameOf(head: Uint8Array): Frame {
  const first = head[0] ?? 0;
  const opcode = first & 0x0f;
  const isControl = opcode >= 8;
  const frame = {
    isFinal: (first & 0x80) !== 0,
    isControl,
    opcode,
    compressed: (first & 0x40) !== 0,
    length: payloadLength(head),
    key: keyOf(head),
  };
  if ((first & 0x30) !== 0) throw new Error('an unknown WebSocket extension');
  if (isControl ? opcode > 10 : opcode > BINARY) throw new Error('an unknown WebSocket opcode');
  if (isControl && (!frame.isFinal || frame.compressed || frame.length > 125))
    throw new Error('a malformed WebSocket control frame');

  return frame;
}

function payloadLength(head: Uint8Array): number {
  const code = (head[1] ?? 0) & 0x7f;
  if (code < 126) return code;
  const view = new DataView(head.buffer);
  if (code === 126) return view.getUint16(2);
  const length = view.getUint32(2) * 2 ** 32 + view.getUint32(6);
  if (length > Number.MAX_SAFE_INTEGER) throw new Error('a WebSocket frame of invalid length');
  return length;
}

function keyOf(head: Uint8Array): MaskingKey | null {
  if (((head[1] ?? 0) & 0x80) === 0) return null;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(headerLength(head) - 4);
  return [a, b, c, d];
}

/** Returns the key, rotated for the bytes after the first `by`. */
function rotated(key: MaskingKey | null, by: number): MaskingKey | null {
  if (!key || by % 4 === 0) return key;
  const at = (i: number): number => key[(by + i) % 4] ?? 0;
  return [at(0), at(1), at(2), at(3)];
}

/** A copy of the bytes, XORed with the key, mostly four bytes at a time. */
export function unmasked(bytes: Uint8Array, key: MaskingKey): Uint8Array {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  const words = new Uint32Array(copy.buffer, 0, bytes.length >> 2);
  const word = new Uint32Array(Uint8Array.from(key).buffer)[0] ?? 0; // in the machine's byte order
  for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) ^ word;
  for (let i = words.length * 4; i < copy.length; i++) copy[i] = (copy[i] ?? 0) ^ (key[i & 3] ?? 0);
  return copy;
}

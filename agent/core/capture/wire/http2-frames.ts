/** A frame header (RFC 9113, 4.1). */
export interface FrameHeader {
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
}

export const frameType = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  goAway: 7,
  continuation: 9,
} as const;

export const frameFlag = {
  endStream: 0x1,
  endHeaders: 0x4,
  padded: 0x8,
  priority: 0x20,
} as const;

export interface FrameEvents {
  /** The header of a frame of any type. */
  begin: (frame: FrameHeader) => void;
  /** Part of the payload of a DATA frame, without padding. */
  data: (frame: FrameHeader, bytes: Uint8Array) => void;
  endData: (frame: FrameHeader) => void;
  /** The payload of a frame of `wholeTypes`, valid until the call returns. */
  whole: (frame: FrameHeader, payload: Uint8Array) => void;
}

const wholeTypes: ReadonlySet<number> = new Set([
  frameType.headers,
  frameType.resetStream,
  frameType.settings,
  frameType.pushPromise,
  frameType.goAway,
  frameType.continuation,
]);
const MAX_BUFFERED_FRAME_BYTES = 65_536;
const HEADER_LENGTH = 9;

/** The next part. Payloads of unknown or unused frames are skipped. */
type Part = 'head' | 'pad-length' | 'data' | 'whole' | 'skipped';

/** Parses the frames of one side from chunks of any size. */
export function createFrameReader(events: FrameEvents): (chunk: Uint8Array) => void {
  let frame: FrameHeader = { length: 0, type: 0, flags: 0, streamId: 0 };
  let part: Part = 'head';
  let left = HEADER_LENGTH;
  let length = HEADER_LENGTH;
  let collected: Uint8Array | null = null;
  let padding = 0;

  const onEnd: Record<Part, (bytes: Uint8Array) => void> = {
    head: (bytes) => begin(frameHeaderOf(bytes, 0)),
    'pad-length'(bytes) {
      padding = bytes[0] ?? 0;
      if (padding >= frame.length) throw new Error('more padding than payload');
      enter('data', frame.length - 1 - padding);
    },
    data() {
      events.endData(frame);
      enter('skipped', padding);
    },
    whole(bytes) {
      events.whole(frame, bytes);
      enter('head', HEADER_LENGTH);
    },
    skipped: () => enter('head', HEADER_LENGTH),
  };

  function enter(entered: Part, bytes: number): void {
    part = entered;
    left = length = bytes;
    collected = null;
    if (bytes === 0) onEnd[part](noBytes);
  }

  function begin(begun: FrameHeader): void {
    frame = begun;
    padding = 0;
    events.begin(frame);
    if (frame.type === frameType.data) {
      const isPadded = (frame.flags & frameFlag.padded) !== 0;
      if (isPadded && frame.length === 0) throw new Error('more padding than payload');
      if (isPadded) enter('pad-length', 1);
      else enter('data', frame.length);
    } else if (wholeTypes.has(frame.type)) {
      if (frame.length > MAX_BUFFERED_FRAME_BYTES) throw new Error('a frame too large to read');
      enter('whole', frame.length);
    } else enter('skipped', frame.length);
  }

  /** The complete payload, if its type is in `wholeTypes`. */
  function take(bytes: Uint8Array): Uint8Array {
    if (part !== 'data') return collect(bytes);
    events.data(frame, bytes);
    return noBytes;
  }

  /** Collects the payload. A payload within one chunk is not copied. */
  function collect(bytes: Uint8Array): Uint8Array {
    if (bytes.length === length) return bytes;
    collected ??= new Uint8Array(length);
    collected.set(bytes, length - left);
    return collected;
  }

  function readPart(chunk: Uint8Array, at: number): number {
    const count = Math.min(left, chunk.length - at);
    if (part === 'head' && count === HEADER_LENGTH) {
      begin(frameHeaderOf(chunk, at));
      return at + count;
    }
    const whole = part === 'skipped' ? noBytes : take(chunk.subarray(at, at + count));
    left -= count;
    if (left === 0) onEnd[part](whole);
    return at + count;
  }

  return (chunk) => {
    for (let at = 0; at < chunk.length;) at = readPart(chunk, at);
  };
}

const noBytes = new Uint8Array();

/** Reads the fields byte by byte, because creating a `DataView` takes longer than that. */
function frameHeaderOf(bytes: Uint8Array, at: number): FrameHeader {
  const byte = (i: number): number => bytes[at + i] ?? 0;
  return {
    length: (byte(0) << 16) | (byte(1) << 8) | byte(2),
    type: byte(3),
    flags: byte(4),
    streamId: ((byte(5) & 0x7f) << 24) | (byte(6) << 16) | (byte(7) << 8) | byte(8),
  };
}

/** The limit of one message, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 262_144;
const LENGTH_SIZE = 4;

/** A message on the wire: its length in four bytes, big endian, then its JSON. */
export function encodeFrame(message: object): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(message));
  if (body.length > MAX_BODY_BYTES) throw new RangeError('the message is too long for a frame');
  const frame = new Uint8Array(LENGTH_SIZE + body.length);
  new DataView(frame.buffer).setUint32(0, body.length);
  frame.set(body, LENGTH_SIZE);
  return frame;
}

export interface FrameReader {
  /** The bodies of all complete frames; an error if the data after them is not a frame. */
  read: (bytes: Uint8Array) => { bodies: string[]; error?: 'length' };
}

/** Splits a byte stream into frames. Holds less than one frame and the last chunk. */
export function createFrameReader(): FrameReader {
  let pending = new Uint8Array();
  const decoder = new TextDecoder();
  return {
    read(bytes) {
      const stream = new Uint8Array(pending.length + bytes.length);
      stream.set(pending);
      stream.set(bytes, pending.length);
      const view = new DataView(stream.buffer);
      const bodies: string[] = [];
      let at = 0;
      while (at + LENGTH_SIZE <= stream.length) {
        const length = view.getUint32(at);
        if (length === 0 || length > MAX_BODY_BYTES) return { bodies, error: 'length' };
        const end = at + LENGTH_SIZE + length;
        if (end > stream.length) break;
        bodies.push(decoder.decode(stream.subarray(at + LENGTH_SIZE, end)));
        at = end;
      }
      pending = stream.slice(at);
      return { bodies };
    },
  };
}

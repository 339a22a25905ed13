/** Collects chunks of bytes. */
export interface ByteBuffer {
  append: (bytes: Uint8Array) => void;
  length: () => number;
  /** Returns all bytes and empties the buffer. */
  take: () => Uint8Array;
}

export function createByteBuffer(): ByteBuffer {
  let room = new Uint8Array();
  let length = 0;
  return {
    append(bytes) {
      if (length + bytes.length > room.length) {
        const larger = new Uint8Array(Math.max(256, length + bytes.length, room.length * 2));
        larger.set(room.subarray(0, length));
        room = larger;
      }
      room.set(bytes, length);
      length += bytes.length;
    },
    length: () => length,
    take() {
      const whole = room.subarray(0, length);
      room = new Uint8Array();
      length = 0;
      return whole;
    },
  };
}

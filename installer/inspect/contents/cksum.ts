/**
 * The CRC of the POSIX command `cksum`, as used in a Bom: polynomial 0x04C11DB7, highest bit first,
 * with the length appended, the result inverted. It differs from the CRC of zlib.
 */
export interface Cksum {
  update: (bytes: Uint8Array) => void;
  /** The checksum of all bytes; nothing can be added afterwards. */
  finish: () => number;
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});

export function createCksum(): Cksum {
  let crc = 0;
  let length = 0;
  const add = (byte: number) => {
    crc = (crc << 8) ^ (table[(crc >>> 24) ^ byte] as number);
  };
  return {
    update(bytes) {
      length += bytes.length;
      for (let at = 0; at < bytes.length; at += 1) add(bytes[at] as number);
    },
    finish() {
      // The length is appended lowest byte first, without leading zeros. It may exceed 32 bits.
      for (let remaining = length; remaining > 0; remaining = Math.floor(remaining / 256))
        add(remaining % 256);
      return ~crc >>> 0;
    },
  };
}

/**
 * The CRC of the POSIX command `cksum`, as a Bom holds it: polynomial 0x04C11DB7, highest bit first,
 * the length follows the data, the result is inverted. It is not the CRC of zlib.
 */
export interface Cksum {
  update: (bytes: Uint8Array) => void;
  /** The checksum of all bytes so far; nothing can be added after it. */
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
      // The length goes in lowest byte first, without leading zeros. It may exceed 32 bits.
      for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) add(rest % 256);
      return ~crc >>> 0;
    },
  };
}

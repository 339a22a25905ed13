// The CRC of POSIX cksum uses zlib's polynomial, but processes the most significant bit first and
// appends the length. This implementation processes sixteen bytes per step, because the content of
// a whole app passes through it.
const SLICES = 16;
const tables = buildTables();

function buildTables(): Int32Array {
  const built = new Int32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
    built[byte] = crc;
  }
  for (let i = 256; i < built.length; i += 1) {
    const before = built[i - 256] as number;
    built[i] = (before << 8) ^ (built[before >>> 24] as number);
  }
  return built;
}

export interface PosixChecksum {
  update: (bytes: Uint8Array) => void;
  /** The checksum so far, as printed by `cksum`. */
  value: () => number;
}

export function createPosixChecksum(): PosixChecksum {
  let crc = 0;
  let length = 0;
  return {
    update(bytes) {
      crc = addBytes(crc, bytes);
      length += bytes.length;
    },
    value: () => addLength(crc, length),
  };
}

export function posixChecksum(bytes: Uint8Array): number {
  return addLength(addBytes(0, bytes), bytes.length);
}

// Every lookup is within bounds, because a table index consists of a slice and a byte.
function addBytes(start: number, bytes: Uint8Array): number {
  const t = tables;
  let crc = start;
  let i = 0;
  for (const end = bytes.length - 15; i < end; i += 16)
    crc =
      (t[0xf00 | ((crc >>> 24) ^ (bytes[i] as number))] as number) ^
      (t[0xe00 | (((crc >>> 16) & 0xff) ^ (bytes[i + 1] as number))] as number) ^
      (t[0xd00 | (((crc >>> 8) & 0xff) ^ (bytes[i + 2] as number))] as number) ^
      (t[0xc00 | ((crc & 0xff) ^ (bytes[i + 3] as number))] as number) ^
      (t[0xb00 | (bytes[i + 4] as number)] as number) ^
      (t[0xa00 | (bytes[i + 5] as number)] as number) ^
      (t[0x900 | (bytes[i + 6] as number)] as number) ^
      (t[0x800 | (bytes[i + 7] as number)] as number) ^
      (t[0x700 | (bytes[i + 8] as number)] as number) ^
      (t[0x600 | (bytes[i + 9] as number)] as number) ^
      (t[0x500 | (bytes[i + 10] as number)] as number) ^
      (t[0x400 | (bytes[i + 11] as number)] as number) ^
      (t[0x300 | (bytes[i + 12] as number)] as number) ^
      (t[0x200 | (bytes[i + 13] as number)] as number) ^
      (t[0x100 | (bytes[i + 14] as number)] as number) ^
      (t[bytes[i + 15] as number] as number);

  for (; i < bytes.length; i += 1) crc = addByte(crc, bytes[i] as number);
  return crc;
}

const addByte = (crc: number, byte: number): number =>
  (crc << 8) ^ (tables[(crc >>> 24) ^ byte] as number);

/** Appends the length, least significant byte first, without leading zeros. */
function addLength(crc: number, length: number): number {
  let sum = crc;
  for (let remaining = length; remaining > 0; remaining = Math.floor(remaining / 256))
    sum = addByte(sum, remaining % 256);
  return ~sum >>> 0;
}

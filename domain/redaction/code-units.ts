const SHARED_LENGTH = 65_536;
const shared = new Uint16Array(SHARED_LENGTH);
const sharedBuffer = Buffer.from(shared.buffer);

/**
 * The UTF-16 code units of a text, then a zero. Loops over them are twice as fast as over a string.
 * They are valid until the next call, and there may be more after the zero.
 */
export function codeUnitsOf(text: string): Uint16Array {
  if (text.length < SHARED_LENGTH) return write(text, shared, sharedBuffer);
  const units = new Uint16Array(text.length + 1);
  return write(text, units, Buffer.from(units.buffer));
}

/** All platforms of Node.js that are in use are little-endian. */
function write(text: string, units: Uint16Array, buffer: Buffer): Uint16Array {
  buffer.write(text, 'utf16le');
  units[text.length] = 0;
  return units;
}

const SHARED_LENGTH = 65_536;
/** Loops that read several code units at a time need no test for the end. */
const ZEROS = 2;
const shared = new Uint16Array(SHARED_LENGTH);
const sharedBuffer = Buffer.from(shared.buffer);

/**
 * The UTF-16 code units of a text, then two zeros. Loops over them are twice as fast as over a string.
 * They are valid until the next call, and there may be more after the zeros.
 */
export function codeUnitsOf(text: string): Uint16Array {
  if (text.length + ZEROS <= SHARED_LENGTH) return write(text, shared, sharedBuffer);
  const units = new Uint16Array(text.length + ZEROS);
  return write(text, units, Buffer.from(units.buffer));
}

/** All platforms of Node.js that are in use are little-endian. */
function write(text: string, units: Uint16Array, buffer: Buffer): Uint16Array {
  buffer.write(text, 'utf16le');
  units.fill(0, text.length, text.length + ZEROS);
  return units;
}

const ASCII = 128;
const CODE_UNITS = 65_536;

/** 1 for each UTF-16 code unit that is an ASCII character of this class. */
export function membersOf(characters: RegExp): Uint8Array {
  const isMember = new Uint8Array(CODE_UNITS);
  for (let code = 0; code < ASCII; code += 1)
    isMember[code] = Number(characters.test(String.fromCharCode(code)));
  return isMember;
}

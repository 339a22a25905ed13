const MAX_ARGUMENTS = 4096; // arguments that a function is called with at once

/**
 * Header text as ISO 8859-1: every byte is one character, so nothing is lost of what is not ASCII
 * (RFC 9110, 5.5). `TextDecoder` does not know this encoding: its `latin1` is windows-1252.
 */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += MAX_ARGUMENTS) {
    const part = bytes.subarray(at, Math.min(to, at + MAX_ARGUMENTS));
    text += Reflect.apply(String.fromCharCode, null, part);
  }
  return text;
}

const windows1252 = new TextDecoder('latin1');
const nonLatin1 = /[^\0-\xff]/;

/** The same for much text at once; null if a byte is in it that is another character to `TextDecoder`. */
export function latin1AtOnce(bytes: Uint8Array, from: number, to: number): string | null {
  const text = windows1252.decode(bytes.subarray(from, to));
  return nonLatin1.test(text) ? null : text;
}

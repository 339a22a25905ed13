const MAX_ARGUMENTS = 4096; // limit of the arguments of one call

/**
 * Decodes header text as ISO 8859-1: each byte is one character, so non-ASCII bytes are preserved
 * (RFC 9110, 5.5). The `latin1` of `TextDecoder` is windows-1252.
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

/**
 * Decodes a longer text at once; null if it contains a byte that `TextDecoder` decodes differently.
 */
export function latin1AtOnce(bytes: Uint8Array, from: number, to: number): string | null {
  const text = windows1252.decode(bytes.subarray(from, to));
  return nonLatin1.test(text) ? null : text;
}

/**
 * Decodes header text as ISO 8859-1: each byte is one character, so non-ASCII bytes are preserved
 * (RFC 9110, 5.5). The `latin1` of `TextDecoder` is windows-1252.
 */
export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', from, to);

const most = 4096; // arguments that a function is called with at once

/**
 * Header text as ISO 8859-1: every byte is one character, so nothing is lost of what is not ASCII
 * (RFC 9110, 5.5). `TextDecoder` does not know this encoding: its `latin1` is windows-1252.
 */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += most) {
    const part = bytes.subarray(at, Math.min(to, at + most));
    text += Reflect.apply(String.fromCharCode, null, part);
  }
  return text;
}

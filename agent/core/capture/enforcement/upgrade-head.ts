import { latin1 } from '../wire/latin1.ts';

const extensions = /^sec-websocket-extensions[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/**
 * Removes extensions from the head of a WebSocket request: a compressed message refers to earlier
 * ones, so the server could not decompress the messages after a refused one (RFC 7692, 7.2.3).
 */
export function withoutExtensions(head: Uint8Array): Uint8Array {
  const text = latin1(head, 0, head.length);
  const rest = text.replace(extensions, '');
  return Uint8Array.from(rest, (character) => character.charCodeAt(0));
}

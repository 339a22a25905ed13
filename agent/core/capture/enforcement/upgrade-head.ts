import { latin1 } from '../wire/latin1.ts';

const extensions = /^sec-websocket-extensions[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/**
 * The head of a request for a WebSocket, without extensions: a compressed message refers to the ones
 * before it, so the server could not read what follows one that is refused (RFC 7692, 7.2.3).
 */
export function withoutExtensions(head: Uint8Array): Uint8Array {
  const text = latin1(head, 0, head.length);
  const rest = text.replace(extensions, '');
  return Uint8Array.from(rest, (character) => character.charCodeAt(0));
}

import { createHash } from 'node:crypto';

/** A key as OpenAI makes them, another one for each name. */
export const secretOf = (name: string): string =>
  `sk-proj-${createHash('sha384').update(name).digest('base64url')}`;

/** Holds what nobody but a client and its server may read, and by whom it was asked. */
export const promptOf = (name: string): string =>
  `${name}: what is wrong with the key ${secretOf(name)} of zoe@example.com ?`;

/** An event of a stream holds nine characters: wherever they begin, one of these is among them. */
export const piecesOf = (secret: string): string[] =>
  Array.from({ length: secret.length - 15 }, (_, i) => secret.slice(8 + i, 16 + i));

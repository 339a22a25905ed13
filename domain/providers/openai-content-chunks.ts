import { isObject, setMember } from './json-fields.ts';

/**
 * Merges the content of a delta: text or, from Mistral's reasoning models, a list of text chunks
 * and thinking chunks, which in turn contain text chunks.
 */
export function mergeContentChunks(message: object, added: unknown): void {
  const known = (message as { content?: unknown }).content;
  if (typeof added === 'string')
    setMember(
      message,
      'content',
      Array.isArray(known) ? withChunks(known, [textChunk(added)]) : textOr(known) + added,
    );
  else if (Array.isArray(added))
    setMember(
      message,
      'content',
      withChunks(Array.isArray(known) ? known : chunksOf(known), added),
    );
  else if (known === undefined) setMember(message, 'content', added);
}

const textOr = (known: unknown): string => (typeof known === 'string' ? known : '');

const textChunk = (text: string): object => ({ type: 'text', text });

const chunksOf = (known: unknown): unknown[] =>
  typeof known === 'string' && known !== '' ? [textChunk(known)] : [];

/** Merges consecutive chunks of the same kind. */
function withChunks(known: unknown[], added: readonly unknown[]): unknown[] {
  for (const chunk of added)
    if (!continues(known.at(-1), chunk)) known.push(structuredClone(chunk));
  return known;
}

function continues(last: unknown, chunk: unknown): boolean {
  if (!isObject(last) || !isObject(chunk) || last['type'] !== chunk['type']) return false;
  if (typeof last['text'] === 'string' && typeof chunk['text'] === 'string')
    setMember(last, 'text', last['text'] + chunk['text']);
  else if (Array.isArray(last['thinking']) && Array.isArray(chunk['thinking']))
    withChunks(last['thinking'], chunk['thinking']);
  else return false;
  return true;
}

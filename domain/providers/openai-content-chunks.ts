import { isObject, setMember } from './json-fields.ts';

/**
 * Adds what a delta brings to the content of a message: text, or, from Mistral's models that
 * reason, a list of chunks of text and of thinking, which is a list of such chunks itself.
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

/** Chunks of one kind that follow each other are one; the known ones grow. */
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

import { accent, EXPANSION } from '#lib/accent.ts';
import { english, type Messages } from './english.ts';

/**
 * Lengthens a text by 40 % and replaces its ASCII letters with accented ones. It stays readable, and
 * texts that bypass the table stand out.
 */
function pseudoTranslate(text: string): string {
  const words = text.replaceAll(/\{\w+\}|[A-Za-z]/g, (part) =>
    part.length === 1 ? accent(part) : part,
  );
  const plain = text.replaceAll(/\{\w+\}/g, '').length;
  return `⟦${words}${'·'.repeat(Math.ceil(plain * EXPANSION))}⟧`;
}

/** The messages of the pseudo-locale `en-XA`, which shows problems that a translation would have. */
export const pseudo: Messages = Object.fromEntries(
  Object.entries(english).map(([key, words]) => [
    key,
    typeof words === 'string'
      ? pseudoTranslate(words)
      : { one: pseudoTranslate(words.one), other: pseudoTranslate(words.other) },
  ]),
) as Messages;

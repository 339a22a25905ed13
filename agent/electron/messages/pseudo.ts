import { accent, EXPANSION } from '#lib/accent.ts';
import { english, type Messages } from './english.ts';

/** Readable, 40 % longer, and without a letter of ASCII: what is left of those was never translated. */
function pseudoTranslate(text: string): string {
  const words = text.replaceAll(/\{\w+\}|[A-Za-z]/g, (part) =>
    part.length === 1 ? accent(part) : part,
  );
  const plain = text.replaceAll(/\{\w+\}/g, '').length;
  return `⟦${words}${'·'.repeat(Math.ceil(plain * EXPANSION))}⟧`;
}

/** The table as the pseudo-locale `en-XA` has it, to see what a translation would. */
export const pseudo: Messages = Object.fromEntries(
  Object.entries(english).map(([key, words]) => [
    key,
    typeof words === 'string'
      ? pseudoTranslate(words)
      : { one: pseudoTranslate(words.one), other: pseudoTranslate(words.other) },
  ]),
) as Messages;

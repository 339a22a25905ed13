import { english, type Words } from './english.ts';

const ascii = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ';

/** Each of them is one unit of UTF-16. */
const accent = (letter: string): string => accented[ascii.indexOf(letter)] ?? letter;

/** How much longer than English a translation may be. */
const LONGER = 0.4;

/** Readable, 40 % longer, and without a letter of ASCII: what is left of those was never translated. */
function disguise(text: string): string {
  const words = text.replaceAll(/\{\w+\}|[A-Za-z]/g, (part) =>
    part.length === 1 ? accent(part) : part,
  );
  const plain = text.replaceAll(/\{\w+\}/g, '').length;
  return `⟦${words}${'·'.repeat(Math.ceil(plain * LONGER))}⟧`;
}

/** The table as the pseudo-locale `en-XA` has it, to see what a translation would. */
export const pseudo: Words = Object.fromEntries(
  Object.entries(english).map(([key, words]) => [
    key,
    typeof words === 'string'
      ? disguise(words)
      : { one: disguise(words.one), other: disguise(words.other) },
  ]),
) as unknown as Words;

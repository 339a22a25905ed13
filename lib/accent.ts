const ASCII = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ';

/**
 * A letter of ASCII with an accent, for pseudo-locales: texts without accents were never translated.
 * Each is one unit of UTF-16.
 */
export const accent = (letter: string): string => ACCENTED[ASCII.indexOf(letter)] ?? letter;

/** How much longer than English a translation may be. */
export const EXPANSION = 0.4;

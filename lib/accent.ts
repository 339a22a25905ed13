const ASCII = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ';

/**
 * A letter of ASCII with an accent, for pseudo-locales: texts without accents were never translated.
 * Each is one unit of UTF-16.
 */
export const accent = (letter: string): string => ACCENTED[ASCII.indexOf(letter)] ?? letter;

/** The length by which a translation may exceed English, as a factor. */
export const EXPANSION = 0.4;

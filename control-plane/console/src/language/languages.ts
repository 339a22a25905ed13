/** English, whose messages are in the modules. */
export const ENGLISH = 'en';

/** English with marks on its letters, for tests: what shows none is not translated. Not offered. */
export const PSEUDO = 'en-XA';

/** The first wanted language that is known, also without its region; else English. */
export function chooseLanguage(wanted: readonly string[], known: readonly string[]): string {
  for (const tag of wanted) {
    const [language] = tag.split('-');
    const found = [tag, language].find((one) => one !== undefined && known.includes(one));
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

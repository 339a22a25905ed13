import type { Messages } from '@lingui/core';

/** English, the language of the messages in the modules. */
export const ENGLISH = 'en';

/**
 * English with accents on its letters, for tests: text without accents is untranslated. Not offered
 * to users.
 */
export const PSEUDO = 'en-XA';

const files = import.meta.glob<{ messages: Messages }>(['./catalogs/*.po', '!./catalogs/en.po']);

/** Functions that load the messages of each language from a separate file. */
export const catalogs: Readonly<Record<string, () => Promise<{ messages: Messages }>>> =
  Object.fromEntries(
    Object.entries(files).map(([path, load]) => [/([^/]+)\.po$/.exec(path)?.[1] ?? path, load]),
  );

/** The languages that users can choose. */
export const languages: readonly string[] = [ENGLISH, ...Object.keys(catalogs)];

/** The first preferred language that is known, with or without its region; otherwise English. */
export function chooseLanguage(wanted: readonly string[], known: readonly string[]): string {
  for (const tag of wanted) {
    const [language] = tag.split('-');
    const found = [tag, language].find((one) => one !== undefined && known.includes(one));
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

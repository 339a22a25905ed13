import type { Messages } from '@lingui/core';

/** English, whose messages are in the modules. */
export const ENGLISH = 'en';

/** English with marks on its letters, for tests: text without marks is not translated. Not offered. */
export const PSEUDO = 'en-XA';

const files = import.meta.glob<{ messages: Messages }>(['./catalogs/*.po', '!./catalogs/en.po']);

/** Loads the messages of a language; each is a file of its own. */
export const catalogs: Readonly<Record<string, () => Promise<{ messages: Messages }>>> =
  Object.fromEntries(
    Object.entries(files).map(([path, load]) => [/([^/]+)\.po$/.exec(path)?.[1] ?? path, load]),
  );

/** The languages to choose from. */
export const languages: readonly string[] = [ENGLISH, ...Object.keys(catalogs)];

/** The first wanted language that is known, also without its region; else English. */
export function chooseLanguage(wanted: readonly string[], known: readonly string[]): string {
  for (const tag of wanted) {
    const [language] = tag.split('-');
    const found = [tag, language].find((one) => one !== undefined && known.includes(one));
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

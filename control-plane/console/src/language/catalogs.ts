import type { Messages } from '@lingui/core';
import { ENGLISH } from './languages.ts';

const files = import.meta.glob<{ messages: Messages }>(['./catalogs/*.po', '!./catalogs/en.po']);

/** Loads the messages of a language; each is a file of its own. */
export const catalogs: Readonly<Record<string, () => Promise<{ messages: Messages }>>> =
  Object.fromEntries(
    Object.entries(files).map(([path, load]) => [/([^/]+)\.po$/.exec(path)?.[1] ?? path, load]),
  );

/** The languages to choose from. */
export const languages: readonly string[] = [ENGLISH, ...Object.keys(catalogs)];

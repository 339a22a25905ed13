import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const LANGUAGE_FOLDER = '#control-plane/console/src/language';

/** Every language with a catalog file: adding an empty `de.po` adds German. */
const languages = readdirSync(join(import.meta.dirname, 'src/language/catalogs'))
  .filter((file) => file.endsWith('.po'))
  .map((file) => file.slice(0, -'.po'.length));

export default defineConfig({
  rootDir: import.meta.dirname,
  sourceLocale: 'en',
  locales: ['en', ...languages.filter((language) => language !== 'en')],
  catalogs: [
    {
      path: '<rootDir>/src/language/catalogs/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.ts', '**/testing/**'],
    },
  ],
  // Line numbers would change in every catalog with every edit.
  format: formatter({ lineNumbers: false }),
  runtimeConfigModule: {
    i18n: [`${LANGUAGE_FOLDER}/i18n.ts`, 'i18n'],
    Trans: [`${LANGUAGE_FOLDER}/trans.tsx`, 'Trans'],
  },
});

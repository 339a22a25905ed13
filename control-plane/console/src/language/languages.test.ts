import { expect, test } from 'vitest';
import { chooseLanguage } from './languages.ts';

test.each([
  [['de-AT', 'en'], ['en', 'de'], 'de'],
  [['pt-BR'], ['en', 'pt', 'pt-BR'], 'pt-BR'],
  [['fr', 'de'], ['en', 'de'], 'de'],
  [['en-GB', 'de'], ['en', 'de'], 'en'],
  [['fr'], ['en', 'de'], 'en'],
  [[], ['en'], 'en'],
])('for preferences %j and languages %j, the choice is %s', (wanted, known, language) => {
  expect(chooseLanguage(wanted, known)).toBe(language);
});

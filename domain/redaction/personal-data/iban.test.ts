import { expect, test } from 'vitest';
import { iban } from './iban.ts';
import { marked, unmarked } from '../testing/marked.ts';

/** Examples of the IBAN Registry of SWIFT. */
test.each([
  '[MU17 BOMM 0101 1010 3030 0200 000M UR]',
  '[SD2129010501234001]',
  '[LC55HEMM000100010012001200023015]',
  '[RU0304452522540817810538091310419]',
  '[DK5000400440116243]',
  '[XK051212012345678906]',
  'SD2129010501234002',
  '{9A19103F-16F7-4668-BE54-9A1E7A4F7556} [BE54 9A1E 7A4F 7556]',
])('%s', (text) => {
  expect(marked(unmarked(text), iban)).toBe(text);
});

import { afterEach, expect, test } from 'vitest';
import { plural, t } from '@lingui/core/macro';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { compileWith, i18n } from './i18n.ts';
import { compilePseudo, pseudoTranslate } from './pseudo.ts';

afterEach(() => {
  compileWith(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

test('without a catalog, a message is its English text', () => {
  const name = 'support';
  expect(t`Delete ${name}`).toBe('Delete support');
});

test.each([
  [0, '0 devices'],
  [1, '1 device'],
  [1200, '1,200 devices'],
])('a plural for %i uses the right form', (count, text) => {
  expect(plural(count, { one: '# device', other: '# devices' })).toBe(text);
});

test.each(['\\u202E', '\\x41', 'C:\\users\\x', '{name}', '<0>x</0>', "'{'", '\\\\u0041'])(
  'the value %s is inserted unchanged',
  (value) => expect(t`Delete ${value}`).toBe(`Delete ${value}`),
);

test('a message without a translation is shown in English', () => {
  i18n.loadAndActivate({ locale: 'de', messages: {} });
  expect(t`Cancel`).toBe('Cancel');
});

test('the pseudo-locale changes the letters of messages, but not values or elements', () => {
  const name = 'support';
  compileWith(compilePseudo);
  i18n.loadAndActivate({ locale: 'en-XA', messages: {} });
  expect(t`Delete ${name}`).toBe('Ðéļéţé··· support');
  expect(pseudoTranslate('Open <0>the run</0>.')).toBe('Öþéñ <0>ţĥé ŕûñ</0>.····');
});

import { expect, test } from 'vitest';
import { weaknessOf } from './password-rules.ts';

const EMAIL = 'ada.lovelace@example.test';

test.each([
  ['', /at least 12/],
  ['elevenchars', /at least 12/],
  // Two code units each, but six characters.
  ['😀😁😂😃😄😅', /at least 12/],
  ['Ada.Lovelace@Example.test', /the email says/],
  ['ada.lovelace', /the email says/],
  ['ada.lovelace2026', /the email says/],
  ['example.test.99', /the email says/],
  ['aaaaaaaaaaaaaaaa', /again and again/],
  ['abcabcabcabcab', /again and again/],
  ['Xy7!Xy7!Xy7!', /again and again/],
  ['hohohahahoahahoo', /again and again/],
  ['123456789012', /neighbours/],
  ['zyxwvutsrqponm', /neighbours/],
  ['abcdef123456', /neighbours/],
  ['qwertyuiopasd', /neighbours/],
  ['lkjhgfdsapoiu', /neighbours/],
  ['Password1234', /common/],
  ['p@ssw0rd!!!!', /common/],
  ['welcome-2026-01', /common/],
  ['Summer2026!!', /common/],
  ['1q2w3e4r5t6y', /common/],
  ['admin-secret-99', /common/],
])('%j is refused', (password, reason) => {
  expect(weaknessOf(password, EMAIL)).toMatch(reason);
});

test.each([
  'correct horse battery',
  'Xk9#2!8$4@77',
  '839201748261',
  'ada.lovelace and the engine',
  'пароль из двенадцати',
  'password of my grandmother',
  '長い長いパスワードをここに書く',
])('%j may be used', (password) => {
  expect(weaknessOf(password, EMAIL)).toBeNull();
});

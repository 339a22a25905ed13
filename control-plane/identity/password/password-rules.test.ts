import { expect, test } from 'vitest';
import { weaknessOf } from './password-rules.ts';

const EMAIL = 'ada.lovelace@example.test';

test.each([
  ['', /at least 12/],
  ['elevenchars', /at least 12/],
  // These are six characters of two code units each.
  ['😀😁😂😃😄😅', /at least 12/],
  ['Ada.Lovelace@Example.test', /parts of the email/],
  ['ada.lovelace', /parts of the email/],
  ['ada.lovelace2026', /parts of the email/],
  ['example.test.99', /parts of the email/],
  ['aaaaaaaaaaaaaaaa', /repeated pattern/],
  ['abcabcabcabcab', /repeated pattern/],
  ['Xy7!Xy7!Xy7!', /repeated pattern/],
  ['hohohahahoahahoo', /repeated pattern/],
  ['123456789012', /adjacent/],
  ['zyxwvutsrqponm', /adjacent/],
  ['abcdef123456', /adjacent/],
  ['qwertyuiopasd', /adjacent/],
  ['lkjhgfdsapoiu', /adjacent/],
  ['Password1234', /common/],
  ['p@ssw0rd!!!!', /common/],
  ['welcome-2026-01', /common/],
  ['Summer2026!!', /common/],
  ['1q2w3e4r5t6y', /common/],
  ['admin-secret-99', /common/],
])('%j is rejected', (password, reason) => {
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
])('%j is accepted', (password) => {
  expect(weaknessOf(password, EMAIL)).toBeNull();
});

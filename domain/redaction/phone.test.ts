import { expect, test } from 'vitest';
import { callingCodeOf, isInternational } from './calling-codes.ts';
import { phone } from './phone.ts';
import { redactText } from './redact-text.ts';

test.each([
  ['1', '12025550143'],
  ['7', '79161234567'],
  ['49', '493012345678'],
  ['800', '80012345678'],
  [undefined, '21012345678'],
])('%s is the calling code of %s', (code, digits) => {
  expect(callingCodeOf(digits)).toBe(code);
});

test.each([
  ['12025550143', true],
  ['120255501431', false],
  ['1202555014', false],
  ['4512345678', true],
  ['451234567', false],
  ['4402079460958', true],
  ['99912345678', false],
])('%s is a valid number of some country: %s', (digits, expected) => {
  expect(isInternational(digits)).toBe(expected);
});

test('a number is found despite digits after it', () => {
  const { text } = redactText('call +1-202-555-0143 2024 or +45 12 34 56 78 9', [phone]);
  expect(text).toBe('call ##PHONE## 2024 or ##PHONE## 9');
});

test.each([
  ['phone', '030 1234567', true],
  ['homePhone', '(030) 123-4567', true],
  ['contact_phone_number2', '5551234567', true],
  ['mobile-no', '+49 171 1234567', true],
  ['FAX', '030 / 1234567', true],
  ['cell_phone', '5551234567 ext. 12', true],
  ['phone', '12345', false],
  ['phone', 'call me at 5551234567', false],
  ['phone', '2024-11-02', false],
  ['phone_model', '12345678', false],
  ['cell', '12345678', false],
  ['telemetry', '12345678', false],
  ['headphone_id', '12345678', false],
])('a member %s with the value %j holds a phone number: %s', (member, value, expected) => {
  expect(phone.ofMember?.(member)?.(value) ?? false).toBe(expected);
});

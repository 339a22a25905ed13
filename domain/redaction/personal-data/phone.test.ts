import { expect, test } from 'vitest';
import { callingCodeOf, isInternational } from './calling-codes.ts';
import { phone } from './phone.ts';
import { redactText } from '../redact-text.ts';
import { marked, unmarked } from '../testing/marked.ts';

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

/** The expected findings are in brackets. */
test.each([
  'Telefonnummer: [030 1234567], Fax: [030 1234568]',
  'Handy [0171 2345678] oder Durchwahl: [030 1234567]',
  'mijn mobiel is [06 12345678], tel. [020-1234567]',
  'Téléphone : [01 42 11 22 33], portable : [06.12.34.56.78]',
  'mi teléfono es [612 34 56 78], móvil: [612345678]',
  'cellulare [347 1234567], telefono: [06 12345678]',
  'telemóvel: [912 345 678]',
  'Tlf. [22 12 34 56]',
  'Puhelin: [040 1234567]',
  'Телефон: [8 (916) 123-45-67]',
  '電話：[03-1234-5678] 手机：[138 1234 5678] 전화번호: [010-1234-5678]',
  'my phone number is [030 1234567]',
  'You can call me at [030 1234567], or text us on [0171 2345678].',
  'reach the office on [415 234 5678] today',
  'Cell: [5551234567]',
  'cell phone [5551234567]',
  '[+38 (067) 123-45-67]',
  '[+52 1 55 1234 5678]',
  'row 7 cell 2278362',
  'cell 2278362: overflow',
  'total 415 234 5678 rows',
  'call me at 10.30 - 11.30',
  'telefonisch 1234567',
  'build 312.456.7890',
  '+1 1 202 555 0143',
])('the numbers in %j', (text) => {
  expect(marked(unmarked(text), phone)).toBe(text);
});

test.each([
  ['telefono', '030 1234567', true],
  ['Handynummer', '0171 2345678', true],
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

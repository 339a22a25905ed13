import { describe, expect, test } from 'vitest';
import { creditCard } from './credit-card.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { marked, unmarked } from '../testing/marked.ts';

/** Adds the check digit of Luhn. */
function checked(body: string): string {
  const sum = Array.from(body)
    .toReversed()
    .map((digit, at) => (at % 2 ? Number(digit) : Number(digit) * 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return body + String((10 - (sum % 10)) % 10);
}

/** A number of a network: its prefix, filled with other digits. */
const numberOf = (prefix: string, length: number): string =>
  checked(prefix.padEnd(length - 1, '9074163528'));

const networks: readonly (readonly [name: string, prefix: string, lengths: readonly number[]])[] = [
  ['Visa', '4539', [13, 16, 19]],
  ['JCB', '3530', [16, 19]],
  ['JCB', '2131', [15]],
  ['Diners Club', '3600', [14, 16, 19]],
  ['Diners Club', '3095', [14]],
  ['UnionPay', '6221', [16, 17, 18, 19]],
  ['UnionPay', '8110', [16]],
  ['RuPay', '6074', [16]],
  ['RuPay', '8175', [16]],
  ['RuPay', '5085', [16]],
  ['Mir', '2202', [16, 17, 18, 19]],
  ['Maestro', '6759', [12, 13, 14, 15, 16, 17, 18, 19]],
  ['Maestro', '5018', [12, 13, 16, 19]],
  ['Maestro', '5641', [16, 19]],
  ['Elo', '5067', [16]],
  ['Elo', '6363', [16]],
  ['Elo', '6277', [16]],
  ['Elo', '4011', [16]],
  ['Hipercard', '6062', [16]],
  ['Verve', '5061', [16, 18, 19]],
  ['Troy', '9792', [16]],
];

describe.each(networks)('%s %s', (_, prefix, lengths) => {
  test.each(lengths)('a number of %d digits is found', (length) => {
    const number = numberOf(prefix, length);
    const wrong = number.slice(0, -1) + String((Number(number.at(-1)) + 1) % 10);
    expect(marked(`card ${number}.`, creditCard)).toBe(`card [${number}].`);
    expect(marked(`card ${wrong}.`, creditCard)).toBe(`card ${wrong}.`);
  });
});

test.each([numberOf('7100', 16), numberOf('5641', 13), numberOf('2205', 16), numberOf('9792', 15)])(
  '%s is of no network',
  (number) => {
    expect(creditCard.find(`card ${number}`)).toEqual([]);
  },
);

test.each([
  `[${numberOf('6759', 19).replaceAll(/(\d{4})(?=\d)/g, '$1 ')}] on file`,
  `order_id=${numberOf('3642', 16)} pan=[${numberOf('3642', 16)}]`,
  `{"trackingNumber": "${numberOf('4539', 16)}", "note": "[${numberOf('4539', 16)}]"}`,
  `traceId: ${numberOf('4539', 16)}; paid: [${numberOf('4539', 16)}]`,
  `\\"seed\\": ${numberOf('2202', 18)}`,
  `invoice-no = ${numberOf('4539', 16)}`,
  `bid: [${numberOf('4539', 16)}]`,
  `blk_-${numberOf('3642', 18)} blk_${numberOf('4539', 19)} card-[${numberOf('4539', 16)}]`,
])('the cards in %j', (text) => {
  expect(marked(unmarked(text), creditCard)).toBe(text);
});

test.each([
  ['order_id', false],
  ['orderId', false],
  ['ids', false],
  ['invoiceNumber', false],
  ['created_ts', false],
  ['IMEI', false],
  ['card', true],
  ['number', true],
  ['paid', true],
  ['valid', true],
])('a member %s can hold a card: %s', (member, expected) => {
  const rules = { detectors: [creditCard], keys: memberRules([]) };
  const value = { [member]: numberOf('4539', 16), note: `paid ${numberOf('4539', 16)}` };
  const { value: redacted } = redactJson({ ...value, text: JSON.stringify(value) }, rules);
  const expectedMember = expected ? '##CREDIT_CARD##' : value[member];
  expect(redacted).toEqual({
    [member]: expectedMember,
    note: 'paid ##CREDIT_CARD##',
    text: JSON.stringify({ [member]: expectedMember, note: 'paid ##CREDIT_CARD##' }),
  });
});

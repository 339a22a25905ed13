import { describe, expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { namedNumbers } from './named-numbers.ts';
import { redactJson } from '../redact-json.ts';

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const redacted = <T>(value: T) => redactJson(value, rules).value;

describe.each(namedNumbers)('$names.0', ({ type, example, counterExample }) => {
  test('the example is redacted, as an object, as text and between sentences', () => {
    const value = { id: 7, [example[0]]: example[1] };
    const expected = { id: 7, [example[0]]: `##${type}##` };
    expect(redacted(value)).toEqual(expected);
    expect(redacted(JSON.stringify(value))).toBe(JSON.stringify(expected));
    const prose = redacted(`see ${JSON.stringify(value)} again`);
    expect(prose).not.toContain(String(example[1]));
  });

  test('the example is also redacted as a string', () => {
    const value = { id: 7, [example[0]]: String(example[1]) };
    const expected = { id: 7, [example[0]]: `##${type}##` };
    expect(redacted(value)).toEqual(expected);
    expect(redacted(JSON.stringify(value))).toBe(JSON.stringify(expected));
  });

  test('the counter-example is kept', () => {
    const value = { [counterExample[0]]: counterExample[1] };
    expect(redacted(value)).toBe(value);
  });
});

test.each<[unknown, unknown]>([
  [{ card_numbers: [4111111111111111, 7] }, { card_numbers: ['##CREDIT_CARD##', 7] }],
  [
    { name: 'card_number', value: 4111111111111111 },
    { name: 'card_number', value: '##CREDIT_CARD##' },
  ],
  [{ ssn: { value: 536904399 } }, { ssn: { value: '##US_SSN##' } }],
  [{ ssn: 1234567 }, { ssn: '##US_SSN##' }],
  [{ bsn: '123456782' }, { bsn: '##NATIONAL_ID##' }],
  [{ nhs_number: '943 476 5919' }, { nhs_number: '##NATIONAL_ID##' }],
  [{ dbPassword: 83927461 }, { dbPassword: '##PASSWORD##' }],
  [{ phone: 4915112345678 }, { phone: '##PHONE##' }],
])('%j becomes %j', (value, expected) => {
  expect(redacted(value)).toEqual(expected);
  expect(redacted(JSON.stringify(value))).toBe(JSON.stringify(expected));
});

test.each([
  { id: 4111111111111111, created: 1700000000000, message_id: 5555555555554444 },
  { usage: { prompt_tokens: 123456789, completion_tokens: 4111111111111111, total_tokens: 9 } },
  { usage: { input_tokens: 536904399, cache_read_input_tokens: 111222333, output_tokens: 1e9 } },
  { usageMetadata: { promptTokenCount: 536904399, totalTokenCount: 123456789 } },
  { max_tokens: 4096, seed: 52998224725, tokens: [123456789, 536904399], token: 123456782 },
  { pass: 12345, passed: 1234567, password: 0, has_password: 1, password_length: 123456 },
  { card: 12, phone: 20241102, pan: 1.5, sin: 0.5, nir: 2, ssn: -536904399 },
  { ssn: '123456', bsn: '123456783', sin: '0.5', customer: '123456782', pan: 'pan 1234' },
  { latency_ms: 111222333, cost: 0.123456789, embedding: [0.529982247, -4.1111] },
])('%j is kept', (value) => {
  expect(redacted(value)).toBe(value);
  expect(redacted(JSON.stringify(value))).toBe(JSON.stringify(value));
});

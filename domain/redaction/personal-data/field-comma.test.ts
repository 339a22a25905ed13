import { expect, test } from 'vitest';
import { isFieldComma } from './field-comma.ts';

/** Each text has one comma to decide on: the one behind the bar. */
const decide = (marked: string): boolean => {
  const at = marked.indexOf('|,');
  return isFieldComma(marked.replace('|,', ','), at);
};

test.each([
  '7|,52998224725,31',
  '7,52998224725|,31',
  'Bob,52998224725|,31\n',
  '52998224725|,31\n',
  '7|,52998224725\n',
  '7|,529.982.247-25\n',
  '"7"\n52998224725|,31',
  '7|,4111 1111 1111 1111',
  '0|,52998224725,1',
  '1234|,567,890',
])('%s separates fields', (text) => {
  expect(decide(text)).toBe(true);
});

test.each([
  'about 1|,234 of them',
  '1|,234,567',
  '1,234|,567.89',
  'it costs 12|,75 EUR',
  'the sum is 52998224725|,31 EUR',
  'a ratio of 0|,52998224725 is',
  '7;52998224725|,31;x',
  'x\t3|,141592653589793\t1',
])('%s is within a number', (text) => {
  expect(decide(text)).toBe(false);
});

import { expect, test } from 'vitest';
import { marked, unmarked } from '../testing/marked.ts';
import { usSsn } from './us-ssn.ts';

/** The expected findings are in brackets. */
test.each([
  'SSN [536904399]',
  "INSERT INTO person (ssn) VALUES ('[536904399]')",
  'id,ssn,active\n17,[536904399],true',
  'ssn;active\n[536904399];true',
  'row,social_security_number,status\n1,[536904399],open',
  'SSN\n536904399',
  'ssn of order 536904399',
])('the numbers in %j', (text) => {
  expect(marked(unmarked(text), usSsn)).toBe(text);
});

import { expect, test } from 'vitest';
import { notChecked, ok, problem, sudoAdvice } from './check.ts';
import { writeJson, writePage } from './page.ts';

const checks = [
  ok('one', 'One works.'),
  problem('two', 'Two does not.', 'IT', 'Mend it.'),
  notChecked('three', 'Three is private.', sudoAdvice),
];
const at = Date.UTC(2026, 10, 22, 21, 40);

test('the page names each check and who can act', () => {
  expect(writePage({ at, checks })).toBe(`Examined on 2026-11-22 21:40 UTC.

ok           One works.
PROBLEM      Two does not.
             → IT: Mend it.
not checked  Three is private.
             → You: Run the same command with sudo.

1 problem found.
`);
  expect(writePage({ at, checks: checks.slice(0, 1) })).toMatch(/\nNo problem was found\.\n$/);
});

test('the JSON output contains the same', () => {
  expect(JSON.parse(writeJson({ at, checks }))).toEqual({
    examined_at: '2026-11-22T21:40:00.000Z',
    problems: 1,
    checks,
  });
});

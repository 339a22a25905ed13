import { expect, test } from 'vitest';
import { isOlder } from './status-page.tsx';

test.each([
  ['1.0.0', '1.0.1', true],
  ['1.9.0', '1.10.0', true],
  ['1.0', '1.0.1', true],
  ['1.0.0', '1.0', false],
  ['1.0.0', '1.0.0', false],
  ['2.0.0', '1.9.9', false],
  ['1.0.0-beta.1', '1.0.0', false],
  ['0.1.0', '1.0.0', true],
  ['what', '0.0.1', true],
])('%s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});

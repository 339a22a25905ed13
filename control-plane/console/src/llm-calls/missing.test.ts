import { expect, test } from 'vitest';
import { missingFrom } from './missing.ts';

test.each([
  [
    { calls: 12_345, seconds: 75 },
    '12,345 calls of the last 1 m 15 s are not indexed yet: matches among them are missing.',
  ],
  [{ calls: 0, seconds: 0 }, 'The latest calls are being indexed: matches among them are missing.'],
  [null, 'The latest calls are being indexed: matches among them are missing.'],
])('a lag of %j', (search_lag, sentence) => expect(missingFrom({ search_lag })).toBe(sentence));

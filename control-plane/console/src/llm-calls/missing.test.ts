import { expect, test } from 'vitest';
import { missingFrom } from './missing.ts';

test.each([
  [
    { calls: 12_345, seconds: 75 },
    '12,345 calls from the last 1 min 15 s are not indexed yet and not part of the results.',
  ],
  [
    { calls: 0, seconds: 0 },
    'The latest calls are still being indexed and not part of the results.',
  ],
  [null, 'The latest calls are still being indexed and not part of the results.'],
])('a lag of %j', (search_lag, sentence) => expect(missingFrom({ search_lag })).toBe(sentence));

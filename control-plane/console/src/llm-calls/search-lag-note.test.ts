import { expect, test } from 'vitest';
import { searchLagNote } from './search-lag-note.ts';

test.each([
  [
    { calls: 12_345, seconds: 75 },
    '12,345 calls from the last 1 min 15 s are not indexed yet and not part of the results.',
  ],
  [
    { calls: 0, seconds: 0 },
    'The latest calls are still being indexed and not part of the results.',
  ],
  [
    null,
    'Too many calls match to look up the duration of each: the results cover only about the latest 50,000.',
  ],
])('a lag of %j', (search_lag, sentence) => expect(searchLagNote({ search_lag })).toBe(sentence));

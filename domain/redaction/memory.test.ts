import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { memberRules } from './member-rules.ts';
import { createJsonRedactor } from './redact-json.ts';

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');
const usedHeap = (): number => {
  gc();
  return process.memoryUsage().heapUsed;
};

const TEXTS = 40;
const MAX_GROWTH = 8_000_000;
/** Makes a text of 480 KB. */
const long = (start: string): string => `${start} ${'lorem ipsum '.repeat(40_000)}`;

/** Names are parts of their texts, which V8 represents by references to the whole texts. */
test.each([
  ['the name of a secret', (at: number) => long(`my_app_token_counter_${at}`)],
  ['the name of a member', (at: number) => long(`see {"my_own_member_name_${at}": 1234567}`)],
  ['a member of JSON text', (at: number) => `{"my_own_member_name_${at}": "${long('x')}"}`],
])('%s does not keep its text in memory, neither at first nor again', (_, textOf) => {
  const redact = createJsonRedactor({ detectors: builtinDetectors(), keys: memberRules([]) });
  const before = usedHeap();
  for (let count = 0; count < 2 * TEXTS; count += 1) redact({ content: textOf(count % TEXTS) });
  expect(usedHeap() - before).toBeLessThan(MAX_GROWTH);
});

import { expect, test } from 'vitest';
import { createCurrentRun } from './current-run.ts';
import type { Run } from './recording/types.ts';

const [outer, inner] = [{ id: 'outer' }, { id: 'inner' }] as unknown as [Run, Run];

test('a run is current within its work, also after it waited', async () => {
  const { get, within } = createCurrentRun();
  const seen: unknown[] = [get()];
  await within(outer, async () => {
    seen.push(get()?.id);
    await within(inner, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
      seen.push(get()?.id);
    });
    seen.push(get()?.id);
  });
  expect([...seen, get()]).toEqual([undefined, 'outer', 'inner', 'outer', undefined]);
});

test('where the platform has no such storage, work is done all the same', () => {
  const { get, within } = createCurrentRun(() => undefined);
  expect(within(outer, () => [get(), 7])).toEqual([undefined, 7]);
});

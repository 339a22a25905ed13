import { expect, test } from 'vitest';
import { createCurrentRun } from './current-run.ts';
import type { Run } from './recording/types.ts';

const [outer, inner] = [{ id: 'outer' }, { id: 'inner' }] as unknown as [Run, Run];

test('a run is current inside its work, also after an await', async () => {
  const { get, within } = createCurrentRun();
  const ids: unknown[] = [get()];
  await within(outer, async () => {
    ids.push(get()?.id);
    await within(inner, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
      ids.push(get()?.id);
    });
    ids.push(get()?.id);
  });
  expect([...ids, get()]).toEqual([undefined, 'outer', 'inner', 'outer', undefined]);
});

test('work is called without async local storage too', () => {
  const { get, within } = createCurrentRun(() => undefined);
  expect(within(outer, () => [get(), 7])).toEqual([undefined, 7]);
});

import { describe, expect, test } from 'vitest';
import { readAnchor, verifyLogs } from '#control-plane/audit/verify/verify-logs.ts';
import { deriveSecrets } from '#control-plane/lib/derived-keys.ts';
import { appendMany, SECRET_KEY } from '../support/audit-log.ts';
import { databases } from '../support/databases.ts';
import { setUpStorage } from '../support/storage.ts';

const TENANT = 'tnt_long';
/** Number of entries read at a time. */
const PAGE = 1000;

describe.each(databases)('an audit log of several pages on %s', (kind) => {
  const world = setUpStorage(kind);

  const append = (count: number) =>
    appendMany(
      world.storage,
      TENANT,
      Array.from({ length: count }, () => ({})),
    );

  const verify = async (...anchors: string[]): Promise<string[]> => {
    const options = { ...world.database, onProblem: () => undefined };
    const which = { tenant: TENANT, anchors: anchors.map(readAnchor) };
    const verdicts = verifyLogs(options, deriveSecrets(SECRET_KEY), which);
    return Array.fromAsync(verdicts, ({ line }) => line);
  };

  test('is verified completely: just below a page, one page, and several', async () => {
    let length = 0;
    for (const next of [PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 500]) {
      const last = (await append(next - length)).at(-1);
      length = next;
      const anchor = `${TENANT}:${length}:${last?.hash}`;
      expect(await verify()).toEqual([`${TENANT}: ${length} entries, unbroken, anchor ${anchor}`]);
    }
  });

  test.each([PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 1, 2 * PAGE + 500])(
    'a change of entry %i is detected',
    async (sequence) => {
      const change = (actor_id: string) =>
        world.storage.db
          .updateTable('audit_entries')
          .set({ actor_id })
          .where('tenant_id', '=', TENANT)
          .where('sequence', '=', sequence)
          .execute();
      await change('forged');
      const id = `aud_${String(sequence).padStart(8, '0')}`;
      expect(await verify()).toEqual([
        `${TENANT}: BROKEN at entry ${sequence} (${id}): it was altered`,
      ]);
      await change('key_1');
      expect(await verify()).toEqual([expect.stringContaining('2500 entries, unbroken')]);
    },
  );
});

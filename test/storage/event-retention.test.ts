import { describe, expect, test } from 'vitest';
import { createRecorder } from '#control-plane/recording/group-recorder.ts';
import { deleteOld } from '#control-plane/retention/queries.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases } from '../support/databases.ts';
import { setUpStorage } from '../support/storage.ts';

const CUTOFF = Date.UTC(2026, 5, 1);

describe.each(databases)('events older than the retention period, on %s', (kind) => {
  const world = setUpStorage(kind);

  test('are deleted by the time at which they happened, not by that of the report', async () => {
    const recorder = createRecorder(
      world.storage,
      createTenantStateCache(world.storage),
      () => CUTOFF,
      () => undefined,
    );
    const event = (tenant_id: string, event_type: string, occurred_at: number) => ({
      tenant_id,
      event_type,
      agent_name: null,
      action: null,
      operator: null,
      reason: null,
      run_id: null,
      body: '{}',
      occurred_at,
      created_at: CUTOFF + 1,
    });
    await recorder.addEvents([
      event('tnt_1', 'old, told late', CUTOFF - 1),
      event('tnt_1', 'recent', CUTOFF),
    ]);
    await recorder.addEvents([event('tnt_2', 'of another tenant', CUTOFF - 1)]);
    expect(await deleteOld(world.storage, 'tnt_1', CUTOFF, 100)).toBe(1);
    const left = await world.storage.db
      .selectFrom('events')
      .select('event_type')
      .orderBy('event_type')
      .execute();
    expect(left.map(({ event_type }) => event_type)).toEqual(['of another tenant', 'recent']);
  });
});

import { describe, expect, test } from 'vitest';
import type { Priced, Pricer } from '#control-plane/costs/pricer.ts';
import { recompute } from '#control-plane/recomputation/recompute.ts';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { createRecorder } from '#control-plane/recording/group-recorder.ts';
import { callRow, runRow } from '#control-plane/recording/rules.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases } from '../support/databases.ts';
import { setUpStorage } from '../support/storage.ts';

const AT = Date.UTC(2026, 5, 1);
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });
/** A price list that contains no model. */
const knowsNothing: Pricer = () => ({ cost: 0, cost_source: 'unpriced' });

describe.each(databases)('calls whose model has lost its price on %s', (kind) => {
  const world = setUpStorage(kind);

  /**
   * Records one call per source of a price, each at two dollars; returns their costs afterwards.
   */
  async function recomputed(tenantId: string, include_given: boolean): Promise<object> {
    const recorder = createRecorder(
      world.storage,
      createTenantStateCache(world.storage),
      () => AT,
      () => undefined,
    );
    const body = { agent_name: 'a', workflow_name: 'default' };
    const { id: runId } = await recorder.start(runRow(tenantId, body, AT, masker));
    const calls = (['table', 'file', 'override'] as const).map((cost_source) => {
      const priced: Priced = { cost: 2, cost_source };
      const call = { model: cost_source, tokens_in: 1, tokens_out: 1 };
      return callRow(call, AT, { price: () => priced, masker });
    });
    const given = { model: 'given', tokens_in: 1, tokens_out: 1, cost: 2 };
    calls.push(callRow(given, AT, { price: knowsNothing, masker }));
    await recorder.add({ tenantId, runId, at: AT }, { calls });
    const scope = { unpriced_only: false, include_given, dry_run: false };
    const steps = recompute(world.storage, tenantId, {
      pricer: knowsNothing,
      scope,
      until: AT + 1,
    });
    for await (const _step of steps);
    const stored = await world.storage.db
      .selectFrom('llm_calls')
      .select(['model', 'cost', 'cost_source'])
      .where('tenant_id', '=', tenantId)
      .execute();
    return Object.fromEntries(
      stored.map(({ model, cost, cost_source }) => [model, `${cost} ${cost_source}`]),
    );
  }

  test.each([false, true])(
    'keep their cost, except for withdrawn prices (including given ones: %s)',
    async (include_given) => {
      expect(await recomputed(`tnt_${include_given}`, include_given)).toEqual({
        table: '2 table',
        given: '2 given',
        file: '0 unpriced',
        override: '0 unpriced',
      });
    },
  );
});

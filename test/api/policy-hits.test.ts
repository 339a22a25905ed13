import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { databases } from '../support/databases.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const MINUTE = 60_000;

const iso = (at: number): string => new Date(at).toISOString();

describe.each(databases)('hits in the list of policies, on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
    tenants.setTime(NOW);
  });
  afterAll(() => tenants.stop());

  const noShells = { name: 'No shells', category: 'tool-allowlist' };
  const rules = { blocked_tools: ['shell'] };
  const create = (by = tenants.one.byKey) =>
    by.policies.createPolicy({ body: { ...noShells, rules } });
  const useShell = async (agent_name: string, by = tenants.one.byKey) => {
    const { run_id } = await by.recording.startRun({ body: { agent_name } });
    const body = { spans: [{ name: 'shell', kind: 'tool' as const }] };
    await by.recording.recordSpans({ params: { run_id }, body });
  };
  const listed = async (id: string, by = tenants.one.byKey) => {
    const { results } = await by.policies.listPolicies({ query: {} });
    return results.find((policy) => policy.id === id);
  };

  test('hits count incidents with their repetitions until their policy is deleted', async () => {
    const { id } = await create();
    const other = await create(tenants.other.byKey);
    expect(await listed(id)).toMatchObject({ hits: 0, last_triggered_at: null });
    await useShell('first');
    expect(await listed(id)).toMatchObject({ hits: 1, last_triggered_at: iso(NOW) });
    tenants.setTime(NOW + 5 * MINUTE);
    const { run_id } = await tenants.one.byKey.recording.startRun({ body: { agent_name: 'two' } });
    for (let at = 0; at < 2; at++)
      await tenants.one.byKey.recording.recordSpans({
        params: { run_id },
        body: { spans: [{ name: 'shell', kind: 'tool' }] },
      });
    expect(await listed(id)).toMatchObject({
      hits: 3,
      last_triggered_at: iso(NOW + 5 * MINUTE),
    });
    // Allowed tools and the incidents of others do not count.
    await tenants.one.byKey.recording.recordSpans({
      params: { run_id },
      body: { spans: [{ name: 'search', kind: 'tool' }] },
    });
    await useShell('theirs', tenants.other.byKey);
    expect(await listed(id)).toMatchObject({ hits: 3 });
    expect(await listed(other.id, tenants.other.byKey)).toMatchObject({ hits: 1 });
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Quotas } from '#contract/sub-tenants.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { Tables } from '#control-plane/storage/tables.ts';
import { openQuotaUsage } from '#control-plane/tenants/quota-usage/open-quota-usage.ts';
import { requireQuotas, tenantsWithQuotas } from '#control-plane/tenants/quotas.ts';
import {
  type FindTenantState,
  createTenantStateCache,
} from '#control-plane/tenants/tenant-states.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const NOW = Date.UTC(2026, 10, 21, 18);
const DAY = Math.floor(NOW / 86_400_000);

/** A tree: the reseller has two customers, one of which has a department. */
const tree = {
  root: null,
  reseller: 'root',
  customer: 'reseller',
  department: 'customer',
  other: 'reseller',
} as const;
type Name = keyof typeof tree;
const names = Object.keys(tree) as Name[];

describe.each(databases)('quotas on %s', (kind) => {
  let database: TestDatabase;
  /** Two storages, as in two processes; only one for SQLite. */
  let storages: Storage[];
  let finders: FindTenantState[];
  const problems: string[] = [];
  let worlds = 0;
  let prefix = '';

  beforeAll(async () => {
    database = await newDatabase(kind);
    const open = () => openStorage({ ...database, onProblem: (line) => problems.push(line) });
    storages = [await open()];
    if (kind === 'postgres') storages.push(await open());
    finders = storages.map(createTenantStateCache);
  });
  afterAll(async () => {
    for (const storage of storages) await storage.close();
    await database.remove();
  });
  beforeEach(() => void (prefix = `w${(worlds += 1)}_`));

  const idOf = (name: Name) => `${prefix}${name}`;
  const first = () => storages[0] as Storage;

  async function plant(quotas: Partial<Record<Name, Partial<Quotas>>>): Promise<void> {
    for (const name of names) {
      const parent = tree[name];
      const tenant = {
        id: idOf(name),
        name,
        slug: name,
        parent_id: parent && idOf(parent),
        config_version: 0,
        created_at: NOW,
        ...quotas[name],
      };
      await first().db.insertInto('tenants').values(tenant).execute();
    }
  }

  /** Records runs in one transaction; returns which of them were admitted. */
  async function start(
    at: number,
    runs: readonly { tenant: Name; agent: string; tokens?: number }[],
  ): Promise<boolean[]> {
    const storage = storages[at % storages.length] as Storage;
    const lines = await tenantsWithQuotas(
      finders[at % finders.length] as FindTenantState,
      runs.map(({ tenant }) => idOf(tenant)),
    );
    return storage.transaction(async (tx) => {
      const day = await openQuotaUsage(tx, lines, NOW);
      const admitted: boolean[] = [];
      const totals = new Map<string, Tables['run_totals']>();
      for (const { tenant, agent, tokens = 0 } of runs) {
        const run = { tenant_id: idOf(tenant), agent_name: agent };
        const refusal = await day.takeRun(run);
        admitted.push(!refusal);
        day.addTokens(run.tenant_id, tokens);
        if (!refusal) totals.set(JSON.stringify(run), { ...run, status: 'running', run_count: 1 });
      }
      await day.store();
      const how = { key: ['tenant_id', 'agent_name', 'status'], add: ['run_count'] } as const;
      await tx.bulk.merge('run_totals', how, [...totals.values()]);
      return admitted;
    });
  }

  const many = (
    count: number,
    tenant: (index: number) => Name,
    agent: (index: number) => string = () => 'a',
  ) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => start(i, [{ tenant: tenant(i), agent: agent(i) }])),
    ).then((admitted) => admitted.flat().filter(Boolean).length);

  const daysOf = async () =>
    Object.fromEntries(
      (
        await first()
          .db.selectFrom('quota_days')
          .selectAll()
          .where('tenant_id', 'in', names.map(idOf))
          .execute()
      ).map(({ tenant_id, ...row }) => [tenant_id.slice(prefix.length), row]),
    );

  const admission = (tenant: Name, agent_name = 'a', now = NOW) =>
    requireQuotas(
      { storage: first(), findTenantState: finders[0] as FindTenantState, now: () => now },
      idOf(tenant),
      {
        agent_name,
      },
    );

  test('at the limit, 50 concurrent starts admit exactly the remaining runs', async () => {
    await plant({ customer: { max_agent_runs_per_day: 10 } });
    expect(await many(50, () => 'customer')).toBe(10);
    expect((await daysOf()).customer).toEqual({ day: DAY, run_count: 10, total_tokens: 0 });
  });

  test('a limit of an ancestor applies to all its descendants together', async () => {
    await plant({ reseller: { max_agent_runs_per_day: 10 } });
    const tenants = ['customer', 'department', 'other', 'reseller'] as const;
    expect(await many(50, (i) => tenants[i % tenants.length] as Name)).toBe(10);
    expect((await daysOf()).reseller).toEqual({ day: DAY, run_count: 10, total_tokens: 0 });
  });

  test('no more agents than allowed are admitted, also with concurrent starts', async () => {
    await plant({ reseller: { max_agents: 4 } });
    const tenants = ['customer', 'other'] as const;
    expect(await start(0, [{ tenant: 'customer', agent: 'known' }])).toEqual([true]);
    const tenantOf = (index: number) => tenants[index % 2] as Name;
    expect(await many(20, tenantOf, (i) => `agent ${i}`)).toBe(3);
    // A known agent can start again; the same name under another tenant is another agent.
    expect(await start(0, [{ tenant: 'customer', agent: 'known' }])).toEqual([true]);
    expect(await start(0, [{ tenant: 'other', agent: 'known' }])).toEqual([false]);
    await admission('customer', 'known');
    await expect(admission('other', 'known')).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'max_agents: 4/4',
      details: { quota: 'max_agents', limit: 4, used: 4 },
    });
  });

  test('limits also apply within one transaction, including those of new agents', async () => {
    await plant({ customer: { max_agent_runs_per_day: 3, max_agents: 2 } });
    const of = (...agents: string[]) =>
      agents.map((agent) => ({ tenant: 'customer' as const, agent }));
    expect(await start(0, of('a', 'b', 'c', 'a', 'b'))).toEqual([true, true, false, true, false]);
    expect((await daysOf()).customer).toMatchObject({ run_count: 3 });
  });

  test('used up tokens refuse runs and checks until midnight, but not recording', async () => {
    await plant({ customer: { max_tokens_per_day: 100 } });
    expect(await start(0, [{ tenant: 'department', agent: 'a', tokens: 99 }])).toEqual([true]);
    await admission('department');
    expect(await start(0, [{ tenant: 'customer', agent: 'a', tokens: 51 }])).toEqual([true]);
    expect(await start(0, [{ tenant: 'department', agent: 'a', tokens: 50 }])).toEqual([false]);
    const refusal = {
      code: 'rate_limited',
      message: 'max_tokens_per_day: 200/100',
      details: { quota: 'max_tokens_per_day', limit: 100, used: 200, retry_after: 6 * 3600 },
    };
    await expect(admission('department')).rejects.toMatchObject(refusal);
    await expect(admission('customer')).rejects.toMatchObject(refusal);
    await admission('other');
    await admission('reseller');
    await admission('customer', 'a', NOW + 6 * 3_600_000);
  });

  test('a tenant that is not a sub-tenant is not counted', async () => {
    await plant({});
    expect(await start(0, [{ tenant: 'root', agent: 'a', tokens: 5 }])).toEqual([true]);
    expect(await daysOf()).toEqual({});
    await admission('root');
    await requireQuotas(
      { storage: first(), findTenantState: finders[0] as FindTenantState, now: () => NOW },
      'tnt_unknown',
      { agent_name: 'a' },
    );
  });

  test('concurrent records are all counted once, for all ancestors', async () => {
    const run = fc.record({
      tenant: fc.constantFrom(...names),
      agent: fc.constant('a'),
      tokens: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(run, { maxLength: 4 }), { maxLength: 10 }),
        async (groups) => {
          prefix = `w${(worlds += 1)}_`;
          await plant({});
          await Promise.all(groups.map((runs, i) => start(i, runs)));
          const isWithin = (tenant: Name, above: Name): boolean => {
            for (let at: Name | null = tenant; at; at = tree[at]) if (at === above) return true;
            return false;
          };
          const expected = Object.fromEntries(
            names
              .filter((name) => name !== 'root')
              .map((name) => {
                const within = groups.flat().filter(({ tenant }) => isWithin(tenant, name));
                const total_tokens = within.reduce((sum, { tokens }) => sum + tokens, 0);
                return [name, { day: DAY, run_count: within.length, total_tokens }] as const;
              })
              .filter(([, { run_count }]) => run_count > 0),
          );
          expect(await daysOf()).toEqual(expected);
          expect(problems).toEqual([]);
        },
      ),
      { numRuns: 10 },
    );
  });
});

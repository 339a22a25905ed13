import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIds } from '#control-plane/lib/ids.ts';
import { maskers } from '#control-plane/settings/masking/masker.ts';
import { createGovernance, type Governance } from '#control-plane/policies/governance.ts';
import { situationOf } from '#control-plane/policies/situation.ts';
import { createRecorder } from '#control-plane/recording/group-recorder.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const newId = createIds();
const NOW = 1_800_000_000_000;
const TENANT = 'tnt_1';
const TIMES = 12;

describe.each(databases)('repeated policy verdicts on %s', (kind) => {
  let database: TestDatabase;
  /** Two storages, as in two processes; only one for SQLite. */
  let storages: Storage[];
  let governances: Governance[];
  const problems: string[] = [];
  const storage = () => storages[0] as Storage;

  beforeAll(async () => {
    database = await newDatabase(kind);
    const open = () => openStorage({ ...database, onProblem: (line) => problems.push(line) });
    storages = [await open()];
    if (kind === 'postgres') storages.push(await open());
    await storage()
      .db.insertInto('policies')
      .values({
        tenant_id: TENANT,
        id: 'pol_1',
        name: 'No shell, and no steps',
        description: '',
        category: 'safety',
        rules: JSON.stringify({ blocked_tools: ['shell'], max_steps: 0 }),
        scope: '{}',
        priority: 100,
        enabled: 1,
        severity: 'medium',
        mode: 'enforce',
        version: 1,
        created_at: NOW,
        updated_at: NOW,
      })
      .execute();
    governances = storages.map((one) =>
      createGovernance({
        notify: () => Promise.resolve(),
        storage: one,
        maskerOf: maskers(one),
        now: () => NOW,
        newId: (prefix) => newId(prefix, NOW),
        onProblem: (line) => problems.push(line),
      }),
    );
    // Loads the policies once, before the concurrent checks.
    await Promise.all(governances.map((one) => one.check(TENANT, requestOf('unknown-agent'))));
  });
  afterAll(async () => {
    for (const one of storages) await one.close();
    await database.remove();
  });

  const requestOf = (agent: string) =>
    situationOf({ phase: 'before_workflow', now: NOW, agent, workflow: 'mcp:files:shell' });
  const everywhere = (check: (governance: Governance) => Promise<unknown>) =>
    Promise.all(governances.flatMap((one) => Array.from({ length: TIMES }, () => check(one))));

  test('verdicts of one kind open one incident, which counts them', async () => {
    const agents = Array.from({ length: 10 }, (_, i) => `agent-${i}`);
    for (const agent of agents) await everywhere((one) => one.check(TENANT, requestOf(agent)));
    const incidents = await storage()
      .db.selectFrom('incidents')
      .select(['agent_name', 'occurrences'])
      .where('agent_name', 'in', agents)
      .orderBy('agent_name')
      .execute();
    const occurrences = TIMES * governances.length;
    expect(incidents).toEqual(agents.map((agent_name) => ({ agent_name, occurrences })));
    expect(problems).toEqual([]);
  });

  test('repeated verdicts of a run are one record with a count', async () => {
    const recorder = createRecorder(
      storage(),
      createTenantStateCache(storage()),
      () => NOW,
      () => undefined,
    );
    for (let i = 0; i < 10; i += 1) {
      const started = await recorder.start({
        tenant_id: TENANT,
        agent_name: 'a',
        workflow_name: 'w',
        tags: '[]',
        status: 'running',
        started_at: NOW,
      });
      const at = { tenantId: TENANT, runId: started.id, at: NOW };
      const steps = [{ step_name: 's', output: null, created_at: NOW }];
      const run = await recorder.add(at, { steps });
      if (!run) throw new Error('there is no run');
      await everywhere((one) => one.onTelemetry(run, {}));
      const recorded = await storage()
        .db.selectFrom('evaluations')
        .select('evaluation_count')
        .where('run_id', '=', run.id)
        .execute();
      expect(recorded).toEqual([{ evaluation_count: TIMES * governances.length }]);
    }
  });
});

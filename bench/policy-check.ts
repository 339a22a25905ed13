/**
 * Measures the cost of a policy check with many policies, compared with the same check without any,
 * alternating.
 *
 * policy-check.ts [CHECKS]     checks per round; default 2000
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '#test/support/postgres-server.ts';
import { percentile, runLoad } from './support/load.ts';
import { checkRequests, createPolicies, expectAdmitted } from './support/policies.ts';
import { type Server, startControlPlane } from './support/processes.ts';
import { type Row, writeSection } from './support/report.ts';

const TOTAL = Number(process.argv[2] ?? 2000);
const CONNECTIONS = 16;
const ROUNDS = 5;

const arms = [
  { policies: 0, matching: 0, goal: '' },
  { policies: 50, matching: 50, goal: '≤ 3' },
  { policies: 50, matching: 2, goal: 'as with 2, not as with 50' },
  { policies: 1000, matching: 2, goal: 'as with 2, not as with 1,000' },
] as const;

interface Measured {
  rates: number[];
  latencies: number[];
}

async function startArm(arm: (typeof arms)[number], env: Record<string, string>) {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const server = await startControlPlane({ DATA_DIR: dir, ...env });
  await createPolicies(server, arm.policies, arm.matching);
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { arm, server, stop, rates: [] as number[], latencies: [] as number[] };
}

const requests = checkRequests();

async function measure({ port }: Server, into?: Measured): Promise<void> {
  const result = await runLoad({ port, connections: CONNECTIONS, requests, total: TOTAL });
  into?.rates.push(result.requests / result.seconds);
  into?.latencies.push(...result.latencies);
}

/** Runs every arm in every round, so that disturbances affect all of them. */
async function compareArms(
  database: string,
  envOf: (arm: number) => Promise<Record<string, string>>,
): Promise<Row[]> {
  const running = [];
  for (const [i, arm] of arms.entries()) running.push(await startArm(arm, await envOf(i)));
  for (const { server } of running) await measure(server);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const one of running) await measure(one.server, one);
  for (const { server } of running) await expectAdmitted(server);
  await Promise.all(running.map(({ stop }) => stop()));
  const base = running[0] as Measured;
  return running.map((one): Row => {
    const { policies, matching, goal } = one.arm;
    const ratios = one.rates.map((rate, round) => (base.rates[round] as number) / rate);
    const what =
      policies === 0 ? 'no policies' : `${policies} policies, of which ${matching} match`;
    return [
      `${database}, ${what}`,
      median(one.rates).toFixed(0),
      percentile(ascending(one.latencies), 99).toFixed(1),
      policies === 0 ? '' : median(ratios).toFixed(2),
      goal,
    ];
  });
}

const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const median = (numbers: readonly number[]): number => percentile(ascending(numbers), 50);

async function onPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const rows = await compareArms('PostgreSQL', async (arm) => {
    await client.query(`create database arm_${arm}`);
    return { DATABASE_URL: postgres.url.replace(/[^/]+$/, `arm_${arm}`) };
  });
  await client.end();
  await postgres.stop();
  return rows;
}

const rows = [...(await compareArms('SQLite', async () => ({}))), ...(await onPostgres())];
for (const row of rows) console.log(row.join('  '));
writeSection(
  'policyCheck',
  ['what', 'checks/s', 'p99 ms', 'cost, relative to no policies', 'goal'],
  rows,
  `${CONNECTIONS} connections; every check is allowed, and the result of each policy is recorded.`,
);

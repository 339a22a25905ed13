import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_KEY, OWNER } from '../support/control-plane.ts';
import { freePort, built, pollUntil, startProgram } from '../support/processes.ts';
import { query } from '../support/postgres.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';
import { startLoad } from './load.ts';

export interface CutsSummary {
  rounds: number;
  /** The number of connections that the server has ended. */
  cut: number;
  /** The number of those with a query or a transaction in progress. */
  inUse: number;
  restarts: number;
  /** The number of calls that were acknowledged, and found afterwards. */
  calls: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  faults: string[];
}

/**
 * The connections of the control plane: 20 for writing, 4 for reading, one for indexing, one for
 * notifications.
 */
const MAX_CONNECTIONS = 26;

const BUSY = `state <> 'idle'`;
const OURS = `datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/**
 * Ends connections of a real control plane under load: mostly those in use, sometimes all of them,
 * and PostgreSQL itself. No acknowledged record may be lost or duplicated, each response is 200,
 * 201 or 503, and afterwards all connections work.
 */
export async function cutConnections(
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<CutsSummary> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cuts-'));
  const place = {
    settings: ['fsync=off'],
    keptIn: join(folder, 'postgres'),
    port: await freePort(),
  };
  let postgres = await startPostgres(place);
  const port = await freePort();
  const program = startProgram(built.controlPlane, {
    HOST: '127.0.0.1',
    PORT: String(port),
    DEVICE_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: postgres.url,
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
    LOG_LEVEL: 'silent',
  });
  const faults: string[] = [];
  const summary: CutsSummary = {
    rounds,
    cut: 0,
    inUse: 0,
    restarts: 0,
    calls: 0,
    statuses: {},
    faults,
  };
  try {
    await program.waitForOutput(/http:\/\/localhost/);
    const load = await startLoad(`http://127.0.0.1:${port}`);
    for (let round = 1; round <= rounds && faults.length === 0; round += 1) {
      if (round % 50 === 5) {
        await postgres.stop();
        postgres = await startPostgres(place);
        summary.restarts += 1;
      } else {
        const { cut, inUse } = await cutSome(postgres.url, round % 10 === 0);
        summary.cut += cut;
        summary.inUse += inUse;
      }
      if (!(await load.makesProgress(PATIENCE_MS)))
        faults.push(`round ${round}: nothing was recorded for two minutes`);
      if (program.child.exitCode !== null || program.child.signalCode !== null)
        faults.push(`round ${round}: the control plane ended:\n${program.output()}`);
      onRound(round);
    }
    await load.stop();
    faults.push(...load.faults, ...(await load.findLosses()));
    faults.push(...(await findBroken(postgres.url, load)));
    summary.calls = load.acknowledged();
    summary.statuses = Object.fromEntries(load.statuses);
    const code = await program.stop();
    if (code !== 0) faults.push(`the control plane ended with ${code}:\n${program.output()}`);
  } finally {
    await program.stop('SIGKILL');
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return summary;
}

/** Ends up to three connections that are in use (under load there are always some), or all. */
async function cutSome(url: string, all: boolean): Promise<{ cut: number; inUse: number }> {
  const which = all ? OURS : `${OURS} and ${BUSY} order by random() limit 3`;
  const { cut, in_use: inUse } = await pollUntil(
    async () => {
      const [row] = await query(
        url,
        `select count(*)::int as cut, (count(*) filter (where ${BUSY}))::int as in_use
         from (select state, pg_terminate_backend(pid) from pg_stat_activity where ${which}) as ended`,
      );
      return row as { cut: number; in_use: number };
    },
    (row) => row.cut > 0,
  );
  return { cut, inUse };
}

/** Returns the problems of the connections after the last fault. */
async function findBroken(
  url: string,
  load: { atOnce(requests: number): Promise<number[]> },
): Promise<string[]> {
  const faults: string[] = [];
  const wrong = (await load.atOnce(60)).filter((status) => status >= 300);
  if (wrong.length > 0) faults.push(`afterwards ${wrong.length} of 60 requests: ${wrong.join()}`);
  const count = async (condition: string): Promise<number> => {
    const [row] = await query(
      url,
      `select count(*)::int as n from pg_stat_activity where ${OURS} and ${condition}`,
    );
    return (row as { n: number }).n;
  };
  const deadline = Date.now() + PATIENCE_MS;
  const connections = await pollUntil(
    () => count('true'),
    (open) => open <= MAX_CONNECTIONS || Date.now() > deadline,
  );
  if (connections > MAX_CONNECTIONS) faults.push(`${connections} connections were left`);
  const left = await pollUntil(
    () => count(`state like 'idle in transaction%'`),
    (open) => open === 0 || Date.now() > deadline,
  );
  if (left > 0) faults.push(`${left} transactions were left open`);
  return faults;
}

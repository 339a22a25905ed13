import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { firstTenant } from '#control-plane/tenants/queries.ts';
import { appendMany, envOf } from '../support/audit-log.ts';
import { API_KEY, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, pollUntil, type Program, startProgram } from '../support/processes.ts';

const ENTRIES = 100_000;

describe.each(databases)('killed while exporting on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let program: Program | undefined;
  let env: Record<string, string>;
  let byKey: TestClient;
  let stored: string[];

  beforeAll(async () => {
    database = await newDatabase(kind);
    const port = await freePort();
    env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DEVICE_PORT: '0',
      ...envOf(database),
      BOOTSTRAP_API_KEY: API_KEY,
      LOG_LEVEL: 'error',
    };
    const headers = () => ({ 'X-Svc-Key': API_KEY });
    byKey = createClient(contract, { baseUrl: `http://127.0.0.1:${port}`, headers });
    await start();
    storage = await openStorage({ ...database, onProblem: () => undefined });
    const { id } = await firstTenant(storage.db);
    const rows = await appendMany(
      storage,
      id,
      Array.from({ length: ENTRIES }, () => ({})),
    );
    stored = rows.map((row) => row.hash);
  });
  afterAll(async () => {
    await program?.stop('SIGKILL');
    await storage.close();
    await database.remove();
  });

  async function start(): Promise<void> {
    program = startProgram(built.controlPlane, env);
    await program.waitForOutput(/http:\/\/127/);
  }

  const progress = async (id: string) => {
    const found = storage.db
      .selectFrom('audit_exports')
      .select(['status', 'chunk_count', 'entry_count'])
      .where('id', '=', id);
    return found.executeTakeFirstOrThrow();
  };

  test('the file is complete and in order, whatever happened during the export', async () => {
    const body = { start_date: '2026-01-01', end_date: '2026-01-02', format: 'ndjson' } as const;
    const { export_id } = await byKey.audit.startAuditExport({ body });
    await pollUntil(
      () => progress(export_id),
      ({ chunk_count }) => chunk_count > 5,
    );
    await program?.stop('SIGKILL');
    const killed = await progress(export_id);
    expect(killed.status).toBe('processing');
    expect(killed.entry_count).toBeLessThan(ENTRIES);
    await start();
    const done = await pollUntil(
      () => byKey.audit.findAuditExport({ params: { export_id } }),
      ({ status }) => status !== 'processing',
    );
    expect(done).toMatchObject({ status: 'completed', entry_count: ENTRIES });
    const response = await fetch(done.download_url ?? '');
    const lines = (await response.text()).trimEnd().split('\n');
    const hashes = lines.map((line) => (JSON.parse(line) as { hash: string }).hash);
    expect(hashes.length).toBe(ENTRIES);
    expect(hashes.every((hash, at) => hash === stored[at])).toBe(true);
  });
});

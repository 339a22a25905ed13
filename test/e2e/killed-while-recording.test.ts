import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { API_KEY, OWNER, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, type Program, startProgram } from '../support/processes.ts';

const WRITERS = 12;
const LARGE_BATCH = 40;
const KILLS = 3;

describe.each(databases)('killed while recording on %s', (kind) => {
  let database: TestDatabase;
  let program: Program | undefined;
  let env: Record<string, string>;
  let byKey: TestClient;
  let byOwner: TestClient;

  beforeAll(async () => {
    database = await newDatabase(kind);
    const port = await freePort();
    env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      DEVICE_PORT: '0',
      DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl ?? '',
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
      BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
      LOG_LEVEL: 'error',
    };
    const by = (headers: Record<string, string>): TestClient =>
      createClient(contract, { baseUrl: `http://127.0.0.1:${port}`, headers: () => headers });
    byKey = by({ 'X-Svc-Key': API_KEY });
    await start();
    const { token } = await by({}).identity.login({ body: OWNER });
    byOwner = by({ Authorization: `Bearer ${token}` });
  });
  afterAll(async () => {
    await program?.stop('SIGKILL');
    await database.remove();
  });

  async function start(): Promise<void> {
    program = startProgram(built.controlPlane, env);
    await program.waitForOutput(/http:\/\/localhost/);
  }

  interface Recorded {
    batch: number;
    acknowledged: number;
  }

  /** Records batches of one size until the service is killed. */
  async function record(batch: number, recorded: Map<string, Recorded>): Promise<void> {
    const calls = Array.from({ length: batch }, () => ({
      model: 'gpt-4o',
      tokens_in: 1,
      tokens_out: 1,
      prompt_preview: 'x'.repeat(500),
    }));
    try {
      const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'busy' } });
      const one = { batch, acknowledged: 0 };
      recorded.set(run_id, one);
      for (;;) {
        const answer = await byKey.recording.recordLlmCalls({
          params: { run_id },
          body: { calls },
        });
        one.acknowledged += answer.count;
      }
    } catch {
      // The service was killed, as intended by this test.
    }
  }

  test('every acknowledged call is stored, and no batch is stored partly', async () => {
    const recorded = new Map<string, Recorded>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = acknowledgedIn(recorded) + 2000;
      const writers = Array.from({ length: WRITERS }, (_, i) =>
        record(i % 2 ? 1 : LARGE_BATCH, recorded),
      );
      // Kills the service while requests are in progress.
      while (acknowledgedIn(recorded) < enough) await new Promise((done) => setTimeout(done, 5));
      await program?.stop('SIGKILL');
      await Promise.all(writers);
      await start();
    }
    expect(recorded.size).toBe(WRITERS * KILLS);
    for (const [id, { batch, acknowledged }] of recorded) {
      const { llm_call_count, counts } = await byOwner.runs.getRun({ params: { id } });
      expect(counts.llm_calls).toBe(llm_call_count);
      expect(counts.llm_calls).toBeGreaterThanOrEqual(acknowledged);
      expect(counts.llm_calls % batch).toBe(0);
    }
  });
});

const acknowledgedIn = (recorded: ReadonlyMap<string, { acknowledged: number }>): number =>
  [...recorded.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { API_KEY, OWNER, settingsOn, type TestClient } from '../support/control-plane.ts';
import {
  freePort,
  built,
  pollUntil,
  type Program,
  root,
  startProgram,
} from '../support/processes.ts';
import { TEST_LIMIT_MS } from '../support/time-limits.ts';

const WRITERS = 6;

let folder: string;
let programs: Program[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
  programs = [];
});
afterEach(async () => {
  for (const program of programs) await program.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function command(name: 'backup' | 'audit', dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(root, `control-plane/${name}/command.ts`), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

async function start(dataDir: string) {
  const port = await freePort();
  const program = startProgram(built.controlPlane, {
    ...settingsOn({ dataDir, databaseUrl: undefined, remove: () => Promise.resolve() }),
    PORT: String(port),
  });
  programs.push(program);
  await program.waitForOutput('devices ');
  const by = (headers: Record<string, string>): TestClient =>
    createClient(contract, { baseUrl: `http://127.0.0.1:${port}`, headers: () => headers });
  const { token } = await by({}).identity.login({ body: OWNER });
  return {
    program,
    byKey: by({ 'X-Svc-Key': API_KEY }),
    byOwner: by({ Authorization: `Bearer ${token}` }),
  };
}

/** Opens a reader that is in the middle of a transaction. */
function openReader(file: string) {
  const database = new BetterSqlite3(file, { readonly: true });
  database.exec('begin');
  const runs = database.prepare<[], number>('select count(*) from runs').pluck();
  return { runs: () => runs.get(), [Symbol.dispose]: () => void database.close() };
}

test(
  'a backup made during recording contains everything acknowledged before, and can be started',
  { timeout: TEST_LIMIT_MS },
  async () => {
    const data = join(folder, 'data');
    const copy = join(folder, 'copies', 'monday');
    const { program, byKey, byOwner } = await start(data);
    await byOwner.settings.putRecordingSettings({
      body: await byOwner.settings.getRecordingSettings(),
    });
    // While this reader has a transaction open, new data stays in the WAL: a copy of only the
    // database file would not contain it.
    using reader = openReader(join(data, 'gatehouse.db'));
    expect(reader.runs()).toBe(0);
    const acknowledged: string[] = [];
    const stopping = new AbortController();
    const record = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'busy' } });
        await byKey.recording.recordLlmCalls({
          params: { run_id },
          body: {
            calls: [{ model: 'gpt-4o', tokens_in: 1, tokens_out: 1, prompt_preview: 'zebra' }],
          },
        });
        acknowledged.push(run_id);
      }
    };
    const writers = Array.from({ length: WRITERS }, record);
    await pollUntil(
      () => acknowledged.length,
      (count) => count >= 300,
    );
    const before = [...acknowledged];
    const made = await command('backup', data, copy);
    expect(made).toMatchObject({ code: 0 });
    expect(made.output).toMatch(/^\S+monday: gatehouse\.db and secret\.key, [\d.]+ MB\n$/);
    // Recording continued during the backup.
    await pollUntil(
      () => acknowledged.length,
      (count) => count > before.length,
    );
    stopping.abort();
    await Promise.all(writers);
    await program.stop('SIGKILL');

    expect(readdirSync(copy).toSorted()).toEqual(['gatehouse.db', 'secret.key']);
    for (const name of readdirSync(copy)) expect(statSync(join(copy, name)).mode & 0o077).toBe(0);
    const restored = await start(copy);
    for (const id of before)
      expect(await restored.byOwner.runs.getRun({ params: { id } })).toMatchObject({
        id: Number(id),
        llm_call_count: 1,
      });
    const { count } = await restored.byOwner.runs.listRuns({ query: { limit: 1 } });
    expect(count).toBeGreaterThanOrEqual(before.length);
    // The search index is rebuilt.
    await pollUntil(
      () => restored.byOwner.llmCalls.listLlmCalls({ query: { search: 'zebra', limit: 1 } }),
      (found) => found.count >= before.length,
    );
    await restored.byKey.recording.startRun({ body: { agent_name: 'after' } });
    expect(await restored.program.stop()).toBe(0);
    const verified = await command('audit', copy, 'verify');
    expect(verified).toMatchObject({ code: 0 });
  },
);

test('an impossible backup is rejected in one line, and leaves nothing behind', async () => {
  const empty = await command('backup', join(folder, 'none'), join(folder, 'copy'));
  expect(empty).toEqual({
    code: 1,
    output: `backup: DATA_DIR=${join(folder, 'none')}: there is no database in this folder\n`,
  });
  const data = join(folder, 'data');
  const { program } = await start(data);
  expect(await program.stop()).toBe(0);
  // A stopped control plane can be backed up too.
  expect(await command('backup', data, join(folder, 'copy'))).toMatchObject({ code: 0 });
  expect(await command('backup', data, join(folder, 'copy'))).toEqual({
    code: 1,
    output: `backup: ${join(folder, 'copy')} is not empty: each backup needs its own folder\n`,
  });
  expect(readdirSync(folder).toSorted()).toEqual(['copy', 'data']);
});

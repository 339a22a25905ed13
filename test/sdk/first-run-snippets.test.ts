/** Checks that the programs that the console shows for a first run work as printed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snippetsFor } from '#control-plane/console/src/get-started/snippets.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { root } from '../support/processes.ts';

const execute = promisify(execFile);

describe('the first run', { tags: ['curl'] }, () => {
  let service: TestControlPlane;
  let project: string;
  beforeAll(async () => {
    await execute(process.execPath, [join(root, 'control-plane/sdk-packages/build.ts')]);
    service = await startTestControlPlane('sqlite');
    project = mkdtempSync(join(tmpdir(), 'first-run-'));
  });
  afterAll(async () => {
    rmSync(project, { recursive: true, force: true });
    await service.stop();
  });

  const textOf = (id: string, title: RegExp): string => {
    const { steps } = snippetsFor({ url: service.urls.public, key: API_KEY }).find(
      (snippet) => snippet.id === id,
    )!;
    return steps.find((step) => title.test(step.title))!.text;
  };

  let known = 0;
  /** Returns the only run since the last one, with its calls. */
  const newRun = async () => {
    const { results } = await service.byOwner.runs.listRuns({ query: {} });
    const [id = 0, ...others] = results.map((run) => run.id).filter((one) => one > known);
    expect(others).toEqual([]);
    known = id;
    return service.byOwner.runs.getRun({ params: { id: String(id) } });
  };

  const oneCall = {
    agent_name: 'first-agent',
    llm_calls: [{ model: 'gpt-4o', tokens_in: 14, tokens_out: 7, cost_source: 'table' }],
  };

  test('by curl', async () => {
    await execute('bash', ['-euc', textOf('curl', /shell/)]);
    expect(await newRun()).toMatchObject({ ...oneCall, status: 'success' });
  });

  test('by Python, installed as shown', { tags: ['python3-venv'] }, async () => {
    const environment = join(project, 'venv');
    await execute('python3', ['-m', 'venv', environment]);
    const PATH = `${join(environment, 'bin')}:${process.env.PATH}`;
    // Without an index, the package must come from this control plane alone.
    const options = { env: { PATH, PIP_NO_INDEX: '1' }, cwd: project };
    await execute('bash', ['-euc', textOf('python', /Install/)], options);
    writeFileSync(join(project, 'first_run.py'), textOf('python', /first_run/));
    const { stdout } = await execute('python3', ['first_run.py'], options);
    expect(stdout).toBe('Paris\n');
    expect(await newRun()).toMatchObject({ ...oneCall, status: 'success' });
  });

  test('by OpenTelemetry', async () => {
    await execute('bash', ['-euc', textOf('otel', /span/)]);
    expect(await newRun()).toMatchObject(oneCall);
  });

  test('by TypeScript, installed as shown', async () => {
    writeFileSync(join(project, 'package.json'), '{"private": true}');
    // Port 9 refuses connections, so the package must come from this control plane alone.
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/' };
    await execute('bash', ['-euc', textOf('typescript', /Install/)], { cwd: project, env });
    writeFileSync(join(project, 'first-run.mjs'), textOf('typescript', /first-run/));
    const { stdout } = await execute(process.execPath, ['first-run.mjs'], { cwd: project });
    expect(stdout).toBe('Paris\n');
    expect(await newRun()).toMatchObject({ ...oneCall, status: 'success' });
  });
});

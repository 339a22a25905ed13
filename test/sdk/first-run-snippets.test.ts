/** Checks that the programs that the console shows for a first run work as printed. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snippetsFor } from '#control-plane/console/src/get-started/snippets.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { root } from '../support/processes.ts';
import { installPackage, type InstalledPackage } from './installed-package.ts';

const execute = promisify(execFile);

describe('the first run', { tags: ['python3'] }, () => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
  });
  afterAll(() => service.stop());

  const textOf = (id: string, title: RegExp): string => {
    const { steps } = snippetsFor({ url: service.urls.public, key: API_KEY }).find(
      (snippet) => snippet.id === id,
    )!;
    return steps.find((step) => title.test(step.title))!.text;
  };

  /** Returns the latest run with its calls. */
  const latestRun = async () => {
    const { results } = await service.byOwner.runs.listRuns({ query: {} });
    const id = Math.max(...results.map((run) => run.id));
    return service.byOwner.runs.getRun({ params: { id: String(id) } });
  };

  const oneCall = {
    agent_name: 'first-agent',
    llm_calls: [{ model: 'gpt-4o', tokens_in: 14, tokens_out: 7, cost_source: 'table' }],
  };

  test('by curl', async () => {
    await execute('bash', ['-euc', textOf('curl', /shell/)]);
    expect(await latestRun()).toMatchObject({ ...oneCall, id: 1, status: 'success' });
  });

  test('by Python', async () => {
    const { stdout } = await execute('python3', ['-c', textOf('python', /first_run/)], {
      env: { PATH: process.env.PATH, PYTHONPATH: join(root, 'sdk/python/src') },
    });
    expect(stdout).toBe('Paris\n');
    expect(await latestRun()).toMatchObject({ ...oneCall, id: 2, status: 'success' });
  });

  test('by OpenTelemetry', async () => {
    await execute('bash', ['-euc', textOf('otel', /span/)]);
    expect(await latestRun()).toMatchObject({ ...oneCall, id: 3 });
  });

  describe('by the SDK for TypeScript', () => {
    let installed: InstalledPackage;
    beforeAll(async () => {
      installed = await installPackage();
    });
    afterAll(() => installed.remove());

    test('like its users install it', async () => {
      expect(await installed.run(textOf('typescript', /first-run/))).toMatchObject({
        code: 0,
        stdout: 'Paris\n',
      });
      expect(await latestRun()).toMatchObject({ ...oneCall, id: 4, status: 'success' });
    });
  });
});

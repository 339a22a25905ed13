import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  API_KEY,
  OWNER,
  startTestControlPlane,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { root } from '../support/processes.ts';

const execute = promisify(execFile);

let service: TestControlPlane;
beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
});
afterAll(() => service.stop());

const seed = (key = API_KEY) =>
  execute(process.execPath, ['dev/seed/command.ts', service.urls.public], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      SVC_API_KEY: key,
      SVC_EMAIL: OWNER.email,
      SVC_PASSWORD: OWNER.password,
    },
  });

test('fills an installation once, and says what it adds', async () => {
  const { stdout } = await seed();
  expect(stdout).toMatch(/^seed: \d+ runs of 4 agents/m);
  expect(stdout).toContain('seed: 3 prompts');
  expect(stdout).toContain('seed: an annotation queue with 20 runs');
  const { figures } = await service.byOwner.overview.getActivity({ query: { period: '30d' } });
  expect(figures.runs).toBeGreaterThan(100);
  expect(figures.errors).toBeGreaterThan(5);
  expect(figures.cost).toBeGreaterThan(0);
  const { devices, incidents, approvals } = await service.byOwner.overview.getActivity({
    query: {},
  });
  expect(devices).toEqual({ active: 4, with_problems: 1 });
  expect(incidents.open).toBeGreaterThan(0);
  expect(approvals.pending).toBe(1);

  expect((await seed()).stdout).toBe('seed: the sample data is there already: nothing was added\n');
  const again = await service.byOwner.overview.getActivity({ query: { period: '30d' } });
  expect(again.figures.runs).toBe(figures.runs);
});

test('names what is missing', async () => {
  await expect(seed('')).rejects.toMatchObject({
    code: 1,
    stderr: 'seed: SVC_API_KEY: expected an API key with all permissions, found none\n',
  });
});

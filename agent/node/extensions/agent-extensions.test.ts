import { afterEach, beforeEach, expect, test } from 'vitest';
import { runChecks } from '../doctor/testing/run-checks.ts';
import { enrolled, setUpAgent, until } from '../testing/set-up-agent.ts';
import {
  createFakeExtensionsTool,
  type FakeExtensionsTool,
  statusOf,
} from './testing/fake-extensions-tool.ts';

const world = setUpAgent();
let tool: FakeExtensionsTool;
beforeEach(() => {
  tool = createFakeExtensionsTool();
});
afterEach(() => tool.remove());

test('the agent starts the proxy with the configuration that captures, and stops it with the next', async () => {
  const { plane, place } = world;
  await enrolled(await place.start({ extensionsProgram: tool.program }));
  await until(() => expect(tool.calls()).toEqual(['status', 'activate']));
  const capture = { capture_enabled: true, intercept_hosts: ['api.openai.com'] };
  plane.config = { ...plane.config, ...capture, version: plane.config.version + 1 };
  await until(() => expect(tool.calls().at(-1)).toBe('start-proxy'));
  tool.answer('status', ...statusOf('active', { enabled: true, running: true }));
  plane.config = {
    ...plane.config,
    capture_enabled: false,
    version: plane.config.version + 1,
  };
  await until(() => expect(tool.calls().at(-1)).toBe('stop-proxy'));
});

test('an agent whose program hangs starts, and what fails is reported and explained', async () => {
  const { plane, place } = world;
  tool.run('activate', 'exec sleep 3600');
  const agent = await place.start({
    extensionsProgram: tool.program,
    extensionsLimits: { task: 500 },
  });
  await enrolled(agent);
  const line = 'network extensions: gatehouse-extensions activate did not end within 0.5 seconds';
  await until(() => expect(agent.status().problems).toEqual([line]));
  await until(() => expect(JSON.stringify(plane.heartbeats.at(-1))).toContain(line));
  const checks = await runChecks(place);
  expect(checks.get('extensions:activation')).toMatchObject({ state: 'problem' });
  expect(checks.has('agent-problems')).toBe(false);
});

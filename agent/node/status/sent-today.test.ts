import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayOf } from '#agent/core/sent-today.ts';
import { openSentToday } from './sent-today.ts';
import { noCapture } from '../testing/control-plane.ts';
import { setUpAgent } from '../testing/set-up-agent.ts';
import { requestFromAgent } from '../tool-checks/agent-client.ts';

const world = setUpAgent();

const LARGE = 500_000;
const GEMINI =
  process.platform === 'darwin'
    ? 'Library/Application Support/GeminiCli/settings.json'
    : 'etc/gemini-cli/settings.json';

let systemRoot: string;
let receiver: Server;
/** The paths and sizes of the OTLP requests that the control plane received. */
let received: { path: string | undefined; bytes: number }[];
beforeEach(async () => {
  systemRoot = mkdtempSync(join(tmpdir(), 'gatehouse-system-'));
  received = [];
  receiver = createServer((request, response) => {
    void buffer(request).then(({ length }) => {
      received.push({ path: request.url, bytes: length });
      response.end('{}');
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  world.plane.otlpEndpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  rmSync(systemRoot, { recursive: true, force: true });
});

const socketOf = () => join(world.place.stateDir, 'tools.sock');
const gateway = {
  client_name: 'claude-code',
  server: 'files',
  session: '7d4f6c0e-63a4-4c0e-9a52-3b1f5d0f7c11',
};

test('telemetry that the agent relays is counted, with its bytes', async () => {
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'tools' };
  const agent = await world.place.start({ systemRoot });
  const settings = join(systemRoot, GEMINI);
  await vi.waitFor(() => expect(existsSync(settings)).toBe(true));
  const { telemetry } = JSON.parse(readFileSync(settings, 'utf8')) as {
    telemetry: { otlpEndpoint: string };
  };
  const answer = await fetch(`${telemetry.otlpEndpoint}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: 'x'.repeat(LARGE),
  });
  expect(await answer.text()).toBe('{}');
  await vi.waitFor(() => expect(agent.status().sent_today.telemetry).toBe(1));
  expect(received).toEqual([{ path: '/v1/logs', bytes: LARGE }]);
  expect(agent.status().sent_today.bytes).toBeGreaterThan(LARGE);
});

test('calls of an MCP gateway are counted once the control plane has accepted them', async () => {
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'tools' };
  const agent = await world.place.start({ systemRoot });
  await vi.waitFor(() => expect(world.plane.recordingKeys).toHaveLength(1));
  const call = (id: string) => ({
    id,
    tool: 'read',
    started_at: 1,
    ended_at: 2,
    error: null,
    arguments: 'x'.repeat(LARGE),
    result: null,
  });
  const message = {
    ...gateway,
    calls: [call('00000000000000a1'), call('00000000000000a2')],
    ended: null,
  };
  await requestFromAgent(socketOf(), '/mcp/calls', JSON.stringify(message), 5000);
  await vi.waitFor(() => expect(agent.status().sent_today.tool_calls).toBe(2));
  expect(received).toEqual([{ path: '/v1/traces', bytes: expect.any(Number) as number }]);
  expect(agent.status().sent_today.bytes).toBeGreaterThan(received[0]?.bytes ?? Infinity);
});

test('checked tool calls are counted, whether the control plane or the device decides', async () => {
  world.plane.toolPolicies = {
    clients: {
      'claude-code': {
        agent: 'claude-code',
        policies: [{ decides: 'control-plane', id: 'pol_1', name: 'Ask', tools: ['deploy'] }],
      },
    },
  };
  world.plane.config = { ...noCapture, version: 2, tool_checks: 'open' };
  const agent = await world.place.start({ systemRoot });
  await vi.waitFor(() => expect(agent.status()).toMatchObject({ config_version: 2 }));
  await vi.waitFor(() => expect(world.plane.calls.getToolPolicies).toBeGreaterThan(0));
  const check = (tool: string) =>
    requestFromAgent(socketOf(), '/mcp/check', JSON.stringify({ ...gateway, tool }), 5000);
  await check('deploy');
  await check('read');
  const recorded = () => world.plane.toolChecks.length + world.plane.toolCalls.length;
  await vi.waitFor(() => expect(agent.status().sent_today.tool_calls).toBe(2));
  expect(recorded()).toBe(2);
});

test('the counts of today from before telemetry was counted are kept', () => {
  const path = join(world.place.dir, 'sent/sent-today.json');
  mkdirSync(dirname(path));
  const day = dayOf(Date.now());
  const before = { day, flow_reports: 3, captures: 2, inventories: 1, bytes: 900 };
  writeFileSync(path, JSON.stringify(before));
  const sent = openSentToday(path);
  expect(sent.read()).toEqual({ ...before, telemetry: 0, tool_calls: 0 });
  sent.add('telemetry', 1);
  sent.stop();
  expect(openSentToday(path).read()).toMatchObject({ flow_reports: 3, telemetry: 1 });
});

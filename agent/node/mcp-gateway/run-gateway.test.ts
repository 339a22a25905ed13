import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RecordRequest } from '#agent/core/tool-checks/gateway-messages.ts';

const root = join(import.meta.dirname, '../../..');
const SAMPLE = join(import.meta.dirname, 'testing/sample-server.ts');

let dir: string;
let agent: Server;
let recorded: RecordRequest[];
let checked: { tool: string; server: string; client_name: string }[];
/** Releases a held check of the tool with this name. */
let release: Map<string, () => void>;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gateway-'));
  recorded = [];
  checked = [];
  release = new Map();
  agent = createServer((request, response) => {
    void json(request).then(async (body) => {
      const message = body as RecordRequest & { tool: string; tools: string[]; server: string };
      const { url } = request;
      if (url === '/mcp/calls') recorded.push(message);
      if (url === '/mcp/check') checked.push(message);
      if (message.tool === 'hang' && held) await new Promise<void>((r) => release.set('hang', r));
      const isRefused = message.tool === 'delete';
      const replies: Record<string, object> = {
        '/mcp/check': {
          decision: isRefused ? 'deny' : 'allow',
          message: isRefused ? 'Blocked by your organization' : '',
        },
        '/mcp/list': { refused: message.tools?.filter((tool) => tool === 'delete') },
        '/mcp/calls': {},
      };
      response.end(JSON.stringify(replies[url ?? '']));
    });
  });
  await once(agent.listen(join(dir, 'tools.sock')), 'listening');
});
afterEach(async () => {
  held = false;
  await new Promise((resolve) => agent.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});
let held = false;

const args = (...command: string[]) => [join(root, 'agent/headless.ts'), 'mcp', ...command];
const sample = ['--', process.execPath, SAMPLE];
const env = () => ({ PATH: process.env.PATH ?? '', HOME: dir, AGENT_STATE_DIR: dir });

async function connect(...command: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: args(...command),
    env: env(),
    cwd: root,
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const client = new Client({ name: 'claude-code', version: '2.0.0' });
  await client.connect(transport);
  return {
    client,
    transport,
    errors: () => errors,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
const calls = () => recorded.flatMap((message) => message.calls);
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

test('a client and its server work as without the gateway, and calls are recorded', async () => {
  await using connected = await connect(...sample);
  const { client } = connected;
  expect(client.getServerVersion()).toMatchObject({ name: 'sample' });
  const echoed = await client.callTool({ name: 'echo', arguments: { value: 'grüße 🙂' } });
  expect(textOf(echoed)).toBe('grüße 🙂');
  expect(await client.callTool({ name: 'fail' })).toMatchObject({ isError: true });
  await vi.waitFor(() => expect(calls()).toHaveLength(2));
  expect(calls()).toMatchObject([
    { tool: 'echo', error: null, arguments: '{"value":"grüße 🙂"}' },
    { tool: 'fail', error: 'the tool reported an error' },
  ]);
  expect(checked[0]).toMatchObject({ client_name: 'claude-code', server: 'sample-server' });
});

test('a refused tool is not listed, and its call is answered so that a model can read it', async () => {
  await using connected = await connect('--name', 'files', ...sample);
  const { tools } = await connected.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'large', 'crash', 'hang']);
  expect(await connected.client.callTool({ name: 'delete' })).toEqual({
    content: [{ type: 'text', text: 'Blocked by your organization' }],
    isError: true,
  });
  await vi.waitFor(() =>
    expect(calls()).toMatchObject([{ tool: 'delete', error: 'Blocked by your organization' }]),
  );
  expect(recorded[0]).toMatchObject({ server: 'files' });
});

test('a large result arrives complete, and its record is truncated', async () => {
  await using connected = await connect(...sample);
  const bytes = 5_000_000;
  const large = await connected.client.callTool({ name: 'large', arguments: { bytes } });
  expect(textOf(large)).toHaveLength(bytes);
  await vi.waitFor(() => expect(calls()[0]?.result).toHaveLength(64 * 1024));
});

test('a call that is cancelled while the server works is cancelled at the server', async () => {
  await using connected = await connect(...sample);
  const abort = new AbortController();
  const call = connected.client.callTool({ name: 'hang' }, undefined, { signal: abort.signal });
  await vi.waitFor(() => expect(connected.errors()).toContain('hanging'));
  abort.abort('enough');
  await expect(call).rejects.toThrow();
  await vi.waitFor(() => expect(connected.errors()).toContain('cancelled'));
  await vi.waitFor(() => expect(calls()).toMatchObject([{ tool: 'hang', error: 'cancelled' }]));
});

test('a call that is cancelled during its check never reaches the server', async () => {
  held = true;
  await using connected = await connect(...sample);
  const abort = new AbortController();
  const call = connected.client.callTool({ name: 'hang' }, undefined, { signal: abort.signal });
  await vi.waitFor(() => expect(release.has('hang')).toBe(true));
  abort.abort('enough');
  await expect(call).rejects.toThrow();
  // The response follows the cancellation, for which other messages do not wait.
  await connected.client.ping();
  release.get('hang')?.();
  held = false;
  const echoed = await connected.client.callTool({ name: 'echo', arguments: { value: 'next' } });
  expect(textOf(echoed)).toBe('next');
  expect(connected.errors()).not.toContain('hanging');
});

test('a server that crashes ends the gateway, with its exit code and a record of the open call', async () => {
  const { client, transport } = await connect(...sample);
  const closed = new Promise<void>((resolve) => Object.assign(client, { onclose: resolve }));
  await expect(client.callTool({ name: 'crash' })).rejects.toThrow();
  await closed;
  expect(transport.pid).toBeNull();
  expect(calls()).toMatchObject([{ tool: 'crash', error: 'the server ended: exit code 3' }]);
  expect(recorded.at(-1)?.ended).toMatchObject({ error: 'the server ended: exit code 3' });
});

test.each([
  ['--closed', 'Blocked: the Gatehouse agent on this device does not answer'],
  [null, 'hello'],
])('without an agent, with %s', async (flag, answer) => {
  await new Promise((resolve) => agent.close(resolve));
  await using connected = await connect(...(flag === null ? [] : [flag]), ...sample);
  const echoed = await connected.client.callTool({ name: 'echo', arguments: { value: 'hello' } });
  expect(textOf(echoed)).toContain(answer);
});

/** Starts a gateway around a command, without a client. */
function start(...command: string[]) {
  const child = spawn(process.execPath, args('--', ...command), { env: env(), cwd: root });
  const exit = once(child, 'close') as Promise<[number | null, string | null]>;
  return { child, exit, out: text(child.stdout), err: text(child.stderr) };
}

test('the lines of a server pass unchanged, even if they are not JSON', async () => {
  const output =
    '{"jsonrpc": "2.0",   "id":1,"result":{}}\r\nno json\n\n{"a":"\\u00e9"}\nlast without newline';
  const { exit, out } = start(process.execPath, '-p', JSON.stringify(output));
  expect(await out).toBe(`${output}\n`);
  expect(await exit).toEqual([0, null]);
});

test('the end of input reaches the server, with a last line that has no newline', async () => {
  const { child, exit, out } = start('cat');
  const ping = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}';
  child.stdin.end(`${ping.replace(',', ', ')}\r\n\n${ping}`);
  expect(await out).toBe(`${ping}\n${ping}\n`);
  expect(await exit).toEqual([0, null]);
});

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","a":NaN}}', -32700],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call",\r"params":{"name":"delete"}}x', -32700],
  ['[[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete"}}]]', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["delete"]}', -32602],
])('%s does not reach the server, and the client gets the error %i', async (line, code) => {
  const { child, out } = start('cat');
  child.stdin.end(`${line}\n`);
  expect(JSON.parse(await out)).toMatchObject({ jsonrpc: '2.0', error: { code } });
});

test('a server reads the member that was checked, and big ids of requests and responses survive', async () => {
  const { child, out } = start('cat');
  const id = '12345678901234567890';
  const duplicate =
    '"method":"ping","method":"tools/call","params":{"name":"echo","name":"delete"}';
  child.stdin.end(`{"jsonrpc":"2.0","id":${id},${duplicate}}\n`);
  expect(await out).toMatch(
    new RegExp(`^\\{"jsonrpc":"2.0","id":${id},"result":.*"isError":true\\}\\}\\n$`),
  );
  expect(checked.map(({ tool }) => tool)).toEqual(['delete']);
});

test('a shortened list of tools keeps the id of its request', async () => {
  const id = '12345678901234567890';
  const list = `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"echo"},{"name":"delete"}]}}`;
  const { child, out } = start(
    process.execPath,
    '-e',
    `process.stdin.once('data', () => console.log('${list}'))`,
  );
  child.stdin.end(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`);
  expect(await out).toBe(`${list.replace(',{"name":"delete"}', '')}\n`);
});

test('calls of a batch are checked separately', async () => {
  const { child, out } = start('cat');
  const call = (id: number, name: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name },
  });
  child.stdin.end(`${JSON.stringify([call(1, 'echo'), call(2, 'delete')])}\n`);
  const lines = (await out).trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      [call(1, 'echo')],
      expect.objectContaining({
        id: 2,
        result: expect.objectContaining({ isError: true }) as object,
      }),
    ]),
  );
});

test('a missing command results in one line on standard error', async () => {
  const { exit, err } = start('/no/such/server');
  expect(await exit).toEqual([127, null]);
  expect(await err).toMatch(/^mcp: \/no\/such\/server cannot be started: .*ENOENT\n$/);
});

test.each(['SIGTERM', 'SIGKILL'] as const)('%s of the gateway ends the server', async (signal) => {
  const file = join(dir, 'pid');
  const script = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));
    process.stdin.resume(); process.stdin.on('end', () => process.exit());`;
  const { child, exit } = start(process.execPath, '-e', script);
  const pid = await vi.waitFor(() => {
    const read = Number(readFileSync(file, 'utf8'));
    expect(read).toBeGreaterThan(0);
    return read;
  });
  child.kill(signal);
  await exit;
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
});

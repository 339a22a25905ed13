import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookCommand } from '#domain/coding-agents/hook-command.ts';
import { requestFromAgent } from './agent-client.ts';
import { type RequestHandler, startDecisionSocket } from './decision-socket.ts';
import { loadPeerUser, type PeerUser } from './peer-user.ts';

let dir: string;
let path: string;
const sockets: { close(): void }[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tools-'));
  path = join(dir, 'tools.sock');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
  rmSync(dir, { recursive: true, force: true });
});

const echo: RequestHandler = async (body, uid) => ({ body, uid });
const start = async (isShared: boolean, peerUser?: PeerUser) => {
  const problems: string[] = [];
  const socket = await startDecisionSocket({
    path,
    handlers: { '/echo': echo, '/small': echo, '/hook/codex': echo },
    maxBytes: { '/small': 10 },
    peerUser: peerUser ?? (await loadPeerUser()),
    isShared,
    onProblem: (line) => void problems.push(line),
  });
  sockets.push(socket);
  return problems;
};
const sendRequest = async (url: string, body: string) => {
  const reply = await requestFromAgent(path, url, body, 5000);
  return reply && { status: reply.status, body: JSON.parse(reply.body) as unknown };
};

test('a request is answered with the user reported by the kernel', async () => {
  await start(false);
  const uid = process.platform === 'linux' ? process.getuid?.() : null;
  expect(await sendRequest('/echo', '{"a":1}')).toEqual({
    status: 200,
    body: { body: { a: 1 }, uid },
  });
});

test('a socket of one user is closed to others, and that of root is open', async () => {
  await start(false, () => 4242);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await sendRequest('/echo', '{}')).toMatchObject({ status: 403 });
  path = join(dir, 'shared.sock');
  await start(true, () => 4242);
  expect(statSync(path).mode & 0o777).toBe(0o666);
  expect(await sendRequest('/echo', '{}')).toMatchObject({ status: 200, body: { uid: 4242 } });
});

test('a large event arrives complete, and errors are reported', async () => {
  await start(false);
  const large = JSON.stringify({ text: 'x'.repeat(3_000_000) });
  expect(await sendRequest('/echo', large)).toMatchObject({
    body: { body: JSON.parse(large) as object },
  });
  expect(await sendRequest('/echo', 'text')).toEqual({
    status: 400,
    body: { error: 'the body is not JSON' },
  });
  expect(await sendRequest('/other', '{}')).toMatchObject({ status: 404 });
});

test('a path may have a limit of its own', async () => {
  await start(false);
  expect(await sendRequest('/small', '{"a":"34"}')).toMatchObject({ status: 200 });
  // The last one has fewer characters than bytes.
  for (const body of ['{"a":"345"}', '{"a":"字"}'])
    expect(await sendRequest('/small', body)).toEqual({
      status: 400,
      body: { error: 'the body is larger than 10 bytes' },
    });
});

test('a socket left by a killed agent is replaced; one that cannot be created is a problem', async () => {
  await start(false);
  await start(false);
  expect(await sendRequest('/echo', '{}')).toMatchObject({ status: 200 });
  path = `${dir}/${'x'.repeat(200)}.sock`;
  expect(await start(false)).toHaveLength(1);
});

const runHook = async (failMode: 'open' | 'closed', socket = path) => {
  const env = { ...process.env, HOME: dir };
  const child = spawn('/bin/sh', ['-c', hookCommand('codex', { socket, failMode })], { env });
  child.stdin.on('error', () => undefined);
  child.stdin.end('{"tool":"é"}');
  const code = new Promise((resolve) => child.on('close', resolve));
  return {
    out: (await text(child.stdout)).trim(),
    err: await text(child.stderr),
    code: await code,
  };
};

test('the hook command gets the response', { tags: ['curl'] }, async () => {
  expect(await runHook('open')).toEqual({ out: '{}', err: '', code: 0 });
  expect(await runHook('closed')).toMatchObject({ out: '', code: 2, err: /^Blocked: / });
  path = join(dir, "it's.sock");
  await start(false);
  expect(JSON.parse((await runHook('closed')).out)).toMatchObject({ body: { tool: 'é' } });
});

test("the hook command finds the socket in its user's home", { tags: ['curl'] }, async () => {
  path = join(dir, "it's a folder/tools.sock");
  await start(false);
  const { out } = await runHook('closed', "~/it's a folder/tools.sock");
  expect(JSON.parse(out)).toMatchObject({ body: { tool: 'é' } });
});

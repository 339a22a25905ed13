import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, link, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findLocalModelServers } from './local-model-servers.ts';
import { toReports } from './finding.ts';
import { linux } from './platform-paths/linux.ts';
import type { RunningProcess } from './processes/process.ts';
import { readListeners } from './processes/proc-net.ts';
import { makeRoot } from './testing/fixtures.ts';
import { scanInventory, scanTree } from './testing/scan.ts';
import { openTree } from './tree.ts';

const idle: RunningProcess = { name: 'x', path: null, user: 'ada', words: [], listens: [] };
const at = (port: number) => [{ address: '127.0.0.1', port }];

async function reportsOf(...processes: Partial<RunningProcess>[]) {
  const running = processes.map((one) => ({ ...idle, ...one }));
  const findings = await findLocalModelServers({
    tree: openTree('/nowhere'),
    platformPaths: { ...linux, listProcesses: async () => running },
    homes: [],
    projects: async () => [],
    problem: () => {},
    notRead: () => {},
    checkpoint: () => {},
  });
  return toReports(findings).map(({ app }) => [app.catalog_id, app.path, ...app.evidence]);
}

test.each<[string, Partial<RunningProcess>, string[]]>([
  [
    'a server at its path',
    { name: 'ollama', path: '/usr/local/bin/ollama' },
    [
      'ollama',
      '/usr/local/bin/ollama',
      'running: /usr/local/bin/ollama',
      'a process is called ollama',
    ],
  ],
  [
    'a name on its port, where the path may not be seen',
    { name: 'llama-server', listens: at(8080) },
    ['llama-cpp', '', 'a process is called llama-server', 'listens on 127.0.0.1:8080'],
  ],
  [
    'a module on its port',
    {
      name: 'python3',
      path: '/usr/bin/python3.12',
      words: ['python3', '-m', 'vllm.entrypoints.openai.api_server', '--api-key', 'hunter22'],
      listens: [{ address: '::', port: 8000 }],
    },
    [
      'vllm',
      '/usr/bin/python3.12',
      'an interpreter runs vllm.entrypoints.openai.api_server',
      'listens on [::]:8000',
    ],
  ],
])('a server is reported: %s', async (_, running, expected) => {
  expect(await reportsOf(running)).toEqual([expected]);
});

test.each<[string, Partial<RunningProcess>, string]>([
  [
    'a name of which the kernel keeps 15 bytes',
    { name: 'text-generation', path: null, listens: at(3000) },
    'text-generation-inference',
  ],
  [
    'a server outside of its folder',
    {
      name: 'text-generation',
      path: '/usr/local/bin/text-generation-launcher',
      listens: at(8080),
    },
    'text-generation-inference',
  ],
  [
    'a program started as a server, on its own port',
    {
      name: 'vllm',
      path: '/srv/env/bin/python3.12',
      words: ['/srv/env/bin/python3.12', '/srv/env/bin/vllm', 'serve', 'qwen'],
      listens: at(9123),
    },
    'vllm',
  ],
  [
    'a script in the folder of its project',
    {
      name: 'python',
      path: '/usr/bin/python3.12',
      words: ['python', '/home/ada/ComfyUI/main.py', '--port', '9000'],
      listens: at(9000),
    },
    'comfyui',
  ],
  [
    'a program of a common name in its own folder',
    { name: 'chat', path: '/opt/gpt4all/bin/chat', listens: at(4891) },
    'gpt4all',
  ],
  [
    'a proxy of containers on the port of the model runner',
    { name: 'com.docker.back', path: null, listens: at(12434) },
    'docker-model-runner',
  ],
  [
    'a module of a web server',
    {
      path: '/usr/bin/uvicorn',
      words: ['uvicorn', 'open_webui.main:app', '--port', '9999'],
      listens: at(9999),
    },
    'open-webui',
  ],
  [
    'a name alone on the usual port',
    { name: 'koboldcpp-linux', path: null, listens: at(5001) },
    'koboldcpp',
  ],
])('%s is found', async (_, running, id) => {
  expect((await reportsOf(running)).map(([found]) => found)).toEqual([id]);
});

test.each<[string, Partial<RunningProcess>]>([
  ['a program called chat on the port of GPT4All', { name: 'chat', listens: at(4891) }],
  ['the terminal called Tabby', { name: 'tabby', path: '/opt/Tabby/tabby', listens: at(8080) }],
  [
    "a script called as a server's, on another port",
    { path: '/usr/bin/python3', words: ['python3', '/x/litellm'], listens: at(9999) },
  ],
  [
    'a main.py elsewhere',
    { path: '/usr/bin/python3', words: ['python3', '/x/main.py'], listens: at(8188) },
  ],
  ['a longer name', { name: 'text-generationX', listens: at(3000) }],
  ['nginx on the port of Ollama', { name: 'nginx', path: '/usr/sbin/nginx', listens: at(11434) }],
  ['a port with another process', { name: 'node', path: '/usr/bin/node', listens: at(11434) }],
  ['a name without the port', { name: 'ollama' }],
  ['a name on another port', { name: 'ollama', path: '/tmp/ollama', listens: at(5432) }],
  [
    'a script of the right name that does not listen',
    { path: '/usr/bin/python3', words: ['python3', '/x/vllm'] },
  ],
  [
    'a desktop app that serves nothing',
    { name: 'LM Studio', path: '/Applications/LM Studio.app/Contents/MacOS/LM Studio' },
  ],
])('%s is not reported', async (_, running) => {
  expect(await reportsOf(running)).toEqual([]);
});

test('several processes of a server are reported once', async () => {
  const ollama = { name: 'ollama', path: '/usr/local/bin/ollama' };
  expect(await reportsOf(ollama, { ...ollama, listens: at(11434) }, ollama)).toHaveLength(1);
});

test('addresses of both families in /proc/net/tcp are parsed', async () => {
  await using root = await makeRoot({
    '/proc/net/tcp': `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0
   1: 0100007F:2CAB 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0
`,
    '/proc/net/tcp6': `  sl  local_address                         remote_address                        st
   0: 00000000000000000000000001000000:04D2 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0
   1: 0000000000000000FFFF00000100007F:04D3 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4714 1 0
`,
  });
  expect(Object.fromEntries(readListeners(openTree(root.dir)))).toEqual({
    4711: { address: '127.0.0.1', port: 11434 },
    4713: { address: '::1', port: 1234 },
    4714: { address: '127.0.0.1', port: 1235 },
  });
});

test.each([
  ['bash', 0],
  ['ollama', 2],
])('while %s runs, %i lists of sockets are read', async (name, lists) => {
  await using root = await makeRoot({ '/proc/7/status': `Name:\t${name}\nUid:\t0\t0\t0\t0\n` });
  const tree = openTree(root.dir);
  const readPaths: string[] = [];
  const kernelText = (path: string) => {
    readPaths.push(path);
    return tree.kernelText(path);
  };
  await scanTree({ ...tree, kernelText }, { homes: [], platform: 'linux' });
  expect(readPaths.filter((path) => path.startsWith('/proc/net/'))).toHaveLength(lists);
  expect(readPaths).toContain('/proc/7/status');
});

const SERVE = `
  const [address, port] = process.argv.slice(1);
  require('node:net').createServer().listen(Number(port), address, () => console.log('ready'));
`;

/** All of 127/8 is this machine on Linux: a separate address keeps the well-known port free. */
const ownAddress = `127.77.${(process.pid >> 8) & 255}.${process.pid & 255 || 1}`;

async function start(executable: string, port: number) {
  const child = spawn(executable, ['-e', SERVE, ownAddress, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test.runIf(process.platform === 'linux')(
  'a real server is found on its port, and another program is not',
  async () => {
    await using root = await makeRoot({ '/opt/ollama/README': '' });
    const path = join(await realpath(root.dir), 'opt/ollama/bin/ollama');
    await mkdir(dirname(path));
    await link(process.execPath, path).catch(() => copyFile(process.execPath, path));
    await using _server = await start(path, 11434);
    await using _stranger = await start(process.execPath, 1234);
    // Node names its main thread `MainThread`, so only the path contains the name.
    const { apps } = await scanInventory({ homes: [] });
    expect(apps.filter((app) => app.path === path)).toEqual([
      {
        kind: 'local_model_server',
        name: 'Ollama',
        catalog_id: 'ollama',
        version: null,
        path,
        user: expect.any(String),
        confidence: 0.83,
        evidence: [
          `running: ${path}`,
          'a process is called ollama',
          `listens on ${ownAddress}:11434`,
        ],
        risk_flags: [],
      },
    ]);
    expect(apps.filter((app) => app.path === process.execPath)).toEqual([]);
  },
);

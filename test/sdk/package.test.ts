import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, root } from '#test/support/processes.ts';
import {
  API_KEY,
  startTestControlPlane,
  type TestControlPlane,
} from '#test/support/control-plane.ts';
import { type InstalledPackage, installPackage } from './installed-package.ts';
import { endpointOf, type LocalServer, startLocalServer } from './local-server.ts';

let sdk: InstalledPackage;
beforeAll(async () => {
  sdk = await installPackage();
});
afterAll(() => sdk.remove());

test('the package is one file in two module formats, with types and without dependencies', () => {
  expect(sdk.files.filter((file) => !file.endsWith('.d.ts')).toSorted()).toEqual([
    'README.md',
    'cjs/index.js',
    'cjs/index.js.map',
    'cjs/package.json',
    'index.js',
    'index.js.map',
    'package.json',
  ]);
  const installed = join(sdk.folder, 'node_modules/svc-observe');
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ name: 'svc-observe', type: 'module' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(readFileSync(join(installed, 'index.js'), 'utf8')).not.toMatch(/^import|\bzod\b/m);
  expect(readFileSync(join(installed, 'cjs/index.js'), 'utf8')).not.toMatch(/\brequire\(/);
});

test('the declarations type-check in a program without other types', () => {
  const consumer = `
    import { getPrompt, init, observe, PolicyViolationError, type Run, startRun, stats } from 'svc-observe';
    const observer = init({ apiKey: 'k', baseUrl: 'http://localhost', onError: (e: Error) => void e.message });
    const length: (text: string) => Promise<number> = observe(async (text: string) => text.length, {
      agentName: 'a',
      perCall: (text) => ({ sessionId: text }),
    });
    const checked: (n: number) => Promise<string | undefined> = observe((n: number) => String(n), {
      enforcePolicy: true,
    });
    const retried: (q: string) => Promise<number> = observe((q: string) => q.length, {
      retryWith: (feedback, q) => [q + feedback],
    });
    const run: Run = startRun({ tags: ['x'], parent: null });
    run.recordTool({ name: 't', toolType: 'mcp', input: { a: 1 } });
    const prompt = await getPrompt('p', { version: 1 });
    run.recordCall({ model: 'm', tokensIn: 1, tokensOut: 2, prompt });
    // @ts-expect-error a score has a value
    run.recordScore({ name: 's' });
    // @ts-expect-error the arguments are those of the function
    void length(1);
    const dropped: number = stats().dropped;
    export { checked, dropped, observer, PolicyViolationError, retried };
  `;
  writeFileSync(join(sdk.folder, 'consumer.ts'), consumer);
  const old = "import sdk = require('svc-observe'); export = sdk.startRun().url.length;";
  writeFileSync(join(sdk.folder, 'old-consumer.cts'), old);
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023'],
      types: [],
    },
    files: ['consumer.ts', 'old-consumer.cts'],
  };
  writeFileSync(join(sdk.folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', sdk.folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

describe('a process', () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await startLocalServer();
  });
  afterAll(() => server.goAway());

  const work = `
    import { observe, recordCall, recordEvent } from 'svc-observe';
    const agent = observe(async function agent() {
      recordCall({ model: 'm', tokensIn: 1, tokensOut: 2 });
      return 'done';
    });
    recordEvent({ event_type: 'begun' });
    recordCall({ model: 'outside', tokensIn: 1, tokensOut: 2 });
    console.log(await agent());
  `;
  const settings = () => ({ SVC_API_KEY: 'k', SVC_API_URL: server.url });
  const arrived = () => server.accepted.map(endpointOf).toSorted();

  test('sends all records before it ends', async () => {
    server.accepted = [];
    expect(await sdk.run(work, settings())).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
    const kinds = 'complete complete events llm-calls llm-calls start start';
    expect(arrived()).toEqual(kinds.split(' '));
  });

  test('that loads the package in both module formats has one observer', async () => {
    server.accepted = [];
    const both = `
      import { createRequire } from 'node:module';
      import { init, recordCall } from 'svc-observe';
      const older = createRequire(import.meta.url)('svc-observe');
      init({ agentName: 'one' });
      older.recordCall({ model: 'm', tokensIn: 1, tokensOut: 2 });
      recordCall({ model: 'm', tokensIn: 1, tokensOut: 2 });
      console.log(older.startRun === (await import('svc-observe')).startRun);
    `;
    expect(await sdk.run(both, settings())).toEqual({ code: 0, stdout: 'false\n', stderr: '' });
    expect(server.accepted.map(endpointOf)).toEqual(['start', 'llm-calls', 'complete']);
  });

  test('ends if the server is unreachable, and reports the lost records', async () => {
    const unreachable = `http://127.0.0.1:${await freePort()}`;
    const ended = await sdk.run(work, { ...settings(), SVC_API_URL: unreachable });
    expect([ended.code, ended.stdout]).toEqual([0, 'done\n']);
    expect(ended.stderr.trim().split('\n')).toEqual([
      expect.stringContaining(`${unreachable} is unreachable`),
      expect.stringContaining('7 records could not be sent before the process ended'),
    ]);
  });

  test('ends if the server never responds', async () => {
    server.behave = () => 'silent';
    const ended = await sdk.run(work, settings());
    server.behave = () => undefined;
    expect([ended.code, ended.stdout]).toEqual([0, 'done\n']);
  });

  const later = (ms: number) =>
    new Promise<undefined>((resolve) => {
      setTimeout(resolve, ms, undefined);
    });
  const LONG_MS = 60_000;
  /** A program that ends while requests are in flight. */
  const busy = `
    import { init, startRun } from 'svc-observe';
    init({ timeoutMs: ${LONG_MS}, onError: ({ message }) => console.log(message) });
    for (let i = 0; i < 50; i += 1) startRun().complete();
    await new Promise((resolve) => setTimeout(resolve, 500));
    console.log('done');
    const done = performance.now();
    process.on('exit', () => console.log('ended after', performance.now() - done, 'ms'));
  `;

  test.each<[string, LocalServer['behave']]>([
    ['never responds', () => 'silent'],
    ['is slow', () => later(1000)],
  ])(
    'that ends while its server %s waits a limited time and reports the lost records',
    async (_name, behave) => {
      [server.accepted, server.behave] = [[], behave];
      const ended = await sdk.run(busy, settings());
      server.behave = () => undefined;
      const lost = Number(/(\d+) records could not be sent before/.exec(ended.stdout)?.[1]);
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      expect(ended.stdout).toMatch(/^done\n/);
      expect(lost).toBeGreaterThan(0);
      expect(lost + server.accepted.length).toBeGreaterThanOrEqual(100);
      // The process waits less than the timeout of a request.
      const waited = Number(/ended after ([\d.]+) ms/.exec(ended.stdout)?.[1]);
      expect(waited).toBeLessThan(LONG_MS);
    },
  );

  test('does not wait for a long Retry-After when it ends', async () => {
    server.behave = () => ({ status: 503, text: '', headers: { 'retry-after': '120' } });
    const ended = await sdk.run(work, settings());
    server.behave = () => undefined;
    expect([ended.code, ended.stdout]).toEqual([0, 'done\n']);
  });

  test('works on a platform with neither `process` nor async storage', async () => {
    server.accepted = [];
    const ended = await sdk.run(
      `const settings = { apiKey: 'k', baseUrl: process.env.SVC_API_URL };
       delete globalThis.process;
       const { init, observe, recordStep, startRun, shutdown } = await import('svc-observe');
       init(settings);
       observe(function agent() { recordStep('automatic'); })();
       const run = startRun();
       run.within(() => run.recordStep('by hand'));
       run.complete();
       console.log(await shutdown());`,
      settings(),
    );
    expect(ended).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
    const kinds = 'complete complete complete start start start steps steps';
    expect(arrived()).toEqual(kinds.split(' '));
  });

  test('that is not configured gets one warning and continues', async () => {
    const ended = await sdk.run(work);
    expect(ended).toEqual({
      code: 0,
      stdout: 'done\n',
      stderr: expect.stringMatching(/^svc-observe: nothing is recorded: no API key.*\n$/) as string,
    });
  });

  test('with the SDK disabled sends and logs nothing', async () => {
    server.requests = [];
    const ended = await sdk.run(work, { ...settings(), SVC_OBSERVE: 'false' });
    expect([ended, server.requests]).toEqual([{ code: 0, stdout: 'done\n', stderr: '' }, []]);
  });

  test('that awaits a shutdown is kept alive for it', async () => {
    server.accepted = [];
    let failures = 2;
    server.behave = () => (failures-- > 0 ? { status: 503, text: '' } : undefined);
    const ended = await sdk.run(
      `import { init, startRun } from 'svc-observe';
       const observer = init({ retryDelayMs: 20, onError: () => undefined });
       startRun().complete();
       console.log(await observer.shutdown(), JSON.stringify(observer.stats()));`,
      settings(),
    );
    expect(ended).toEqual({
      code: 0,
      stdout: 'true {"queued":0,"delivered":2,"dropped":0}\n',
      stderr: '',
    });
    expect(arrived()).toEqual(['complete', 'start']);
  });

  test('that awaits a flush, a check or a prompt is kept alive for it', async () => {
    server.behave = async ({ path }) => {
      await later(500);
      if (path.endsWith('/policy-check/')) return { body: { action: 'block', reason: 'no' } };
      if (path.includes('/prompts/')) return { body: { name: 'p', version: 1, content: 'Hi' } };
      return undefined;
    };
    const ended = await sdk.run(
      `import { checkPolicy, flush, getPrompt, startRun } from 'svc-observe';
       startRun().complete();
       console.log(await flush());
       console.log((await checkPolicy({ agentName: 'a' })).action);
       console.log((await getPrompt('p')).compile());`,
      settings(),
    );
    server.behave = () => undefined;
    expect(ended).toEqual({ code: 0, stdout: 'true\nblock\nHi\n', stderr: '' });
  });
});

describe('the examples', () => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
  });
  afterAll(() => service.stop());

  const runExample = (name: string, url = service.urls.public) =>
    sdk.run(readFileSync(join(root, 'sdk/examples', name), 'utf8'), {
      SVC_API_URL: url,
      SVC_API_KEY: API_KEY,
    });
  const runsOf = async (agent: string) => {
    const { results } = await service.byOwner.runs.listRuns({ query: { agent } });
    return results;
  };

  test('quick-start', async () => {
    const ended = await runExample('quick-start.mjs');
    expect(ended).toEqual({ code: 0, stdout: 'It is 21 °C in Lisbon.\n', stderr: '' });
    expect(await runsOf('weather-agent')).toMatchObject([
      { workflow_name: 'forecast', status: 'success', llm_call_count: 1, tokens: 1500 },
    ]);
  });

  test('chat-session, with a prompt of the control plane', async () => {
    const { prompts } = service.byOwner;
    const { id } = await prompts.createPrompt({
      body: {
        name: 'support-answer',
        prompt_type: 'chat',
        content: [{ role: 'user', content: '{{ question }}' }],
      },
    });
    const params = { prompt_id: id, label: 'production' };
    await prompts.putPromptLabel({ params, body: { version: 1 } });
    const ended = await runExample('chat-session.mjs');
    expect([ended.code, ended.stderr, ended.stdout.split('\n')[0]]).toEqual([
      0,
      '',
      'v1 (1 messages) You asked: Where is my parcel?',
    ]);
    const turn = { session_id: 'session-42', user_id: 'user-7', llm_call_count: 1 };
    expect(await runsOf('support')).toMatchObject([turn, turn]);
    const { totals } = await prompts.getPromptMetrics({ params: { prompt_id: id } });
    expect(totals).toMatchObject({ call_count: 2, total_tokens: 104 });
  });

  test('policy, if no policy blocks', async () => {
    const { code, stdout } = await runExample('policy.mjs');
    expect([code, stdout]).toEqual([0, 'refunded 20\n']);
    expect((await runsOf('refunds')).map((run) => run.workflow_name)).toEqual(['notify', 'payout']);
  });

  test('policy, if a policy blocks', async () => {
    const strict = await startLocalServer();
    const block = { action: 'block', reason: 'Per-minute limit reached (10/10)', metadata: {} };
    strict.behave = (request) =>
      endpointOf(request) === 'policy-check' ? { body: block } : undefined;
    expect(await runExample('policy.mjs', strict.url)).toEqual({
      code: 0,
      stdout: 'not allowed: Per-minute limit reached (10/10) (block)\n',
      stderr: '',
    });
    expect(strict.accepted.filter((request) => endpointOf(request) === 'start')).toHaveLength(1);
    await strict.goAway();
  });
});

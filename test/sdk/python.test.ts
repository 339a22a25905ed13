import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { packageNames } from '#control-plane/sdk-packages/names.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { MODEL_KEY, type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { root } from '../support/processes.ts';
import { clientsEnvironment, clientsPython } from './python/clients-environment.ts';
import { findOldestPython, oldestPythonVersion } from './python/oldest-python.ts';

const sdk = join(root, 'sdk/python');
const execute = promisify(execFile);

const startingWith = (text: string): unknown => expect.stringMatching(new RegExp(`^${text}`));

async function runPython(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ stdout: string; stderr: string }> {
  const inherited = { PATH: process.env.PATH ?? '', PYTHONDONTWRITEBYTECODE: '1' };
  return execute(program, args, {
    cwd: sdk,
    env: { ...inherited, PYTHONPATH: join(sdk, 'src'), ...env },
  });
}

/** Runs the tests of the Python SDK: golden vectors, delivery, decorator, calls of providers. */
async function runOwnTests(python: string): Promise<void> {
  const { stderr } = await runPython(python, '-m unittest discover -s tests -t .'.split(' '));
  expect(stderr).toMatch(/Ran \d{2,3} tests/);
  expect(stderr).toMatch(/OK\n/);
}

describe(
  'the Python SDK on the oldest Python that it supports',
  { tags: ['oldest-python'] },
  () => {
    test('its own tests pass', async () => {
      await runOwnTests(findOldestPython() as string);
    });
  },
);

describe('the Python SDK', { tags: ['python3'] }, () => {
  test('its own tests pass', async () => {
    await runOwnTests('python3');
  });

  describe('against a real control plane', () => {
    let service: TestControlPlane;
    beforeAll(async () => {
      service = await startTestControlPlane('sqlite');
    });
    afterAll(() => service.stop());

    test('an agent with everything is read back as it was recorded', async () => {
      await service.byOwner.prompts.createPrompt({
        body: { name: 'greeting', content: 'Hello {{ name }}' },
      });
      await service.byOwner.policies.createPolicy({
        body: {
          name: 'stop',
          category: 'content',
          rules: { pii_detection: { enabled: true, action: 'block', types: ['email'] } },
          scope: { agents: ['py-forbidden'] },
        },
      });
      const { stdout } = await runPython('python3', [join(root, 'test/sdk/python/agent.py')], {
        SVC_API_KEY: API_KEY,
        SVC_API_URL: service.urls.public,
      });
      expect(JSON.parse(stdout)).toEqual({
        result: { notes: { last: 'why' } },
        violation: expect.stringMatching(/./) as string,
        allowed: true,
        problems: [],
      });
      const { results } = await service.byOwner.runs.listRuns({ query: {} });
      const named = new Map(results.map((run) => [run.agent_name, run]));
      expect([...named.keys()].toSorted()).toEqual(['py-broken', 'py-support', 'py-tool']);
      const id = String(named.get('py-support')?.id);
      const run = await service.byOwner.runs.getRun({ params: { id } });
      expect(run).toMatchObject({
        workflow_name: 'triage',
        session_id: 's-1',
        user_id: 'u-17',
        status: 'success',
        tokens: 1500,
        llm_call_count: 1,
        inputs: { arguments: ['why', 'u-17'] },
        result: { notes: { last: 'why' } },
      });
      expect(run.cost).toBeCloseTo(0.0075, 10);
      const inner = await service.byOwner.runs.getRun({
        params: { id: String(named.get('py-tool')?.id) },
      });
      expect(inner).toMatchObject({ parent_run_id: Number(id), tags: ['inner'] });
      expect(named.get('py-broken')).toMatchObject({ status: 'error' });
    });
  });
});

describe('clients of providers in Python', { tags: ['python-clients'] }, () => {
  let service: TestControlPlane;
  let provider: ModelProvider;
  beforeEach(async () => {
    [service, provider] = [await startTestControlPlane('sqlite'), await startModelProvider()];
  });
  afterEach(async () => {
    await Promise.all([service.stop(), provider.stop()]);
  });

  test('openai, anthropic and LangChain, complete and streamed, sync and async', async () => {
    const { stdout } = await runPython(clientsPython, [join(root, 'test/sdk/python/clients.py')], {
      SVC_API_KEY: API_KEY,
      SVC_API_URL: service.urls.public,
      MODEL_URL: provider.url,
      MODEL_KEY,
    });
    const gpt = 'gpt-4o heard: one two three';
    const claude = 'claude-sonnet-4-6 heard: one two three';
    expect(JSON.parse(stdout)).toEqual({
      heard: {
        openai: gpt,
        'openai-options': gpt,
        'openai-raw': gpt,
        'openai-stream': gpt,
        'openai-raw-stream': gpt,
        'openai-streaming-response': gpt,
        'openai-unread-body': gpt,
        'openai-body-pieces': 'gpt-4o',
        'openai-stalled': 'ReadTimeout',
        'openai-raw-lines': expect.stringMatching(/^\d\d lines$/),
        'openai-helper': gpt,
        'openai-error': 'RateLimitError',
        'openai-stream-error': 'RateLimitError',
        'openai-breaks': 'APIError',
        anthropic: claude,
        'anthropic-options': claude,
        'anthropic-stream': claude,
        'anthropic-raw': claude,
        'anthropic-raw-stream': claude,
        'anthropic-raw-error': 'RateLimitError',
        'anthropic-raw-breaks': 'APIStatusError',
        'anthropic-error': 'RateLimitError',
        'openai-async': gpt,
        'openai-async-stream': gpt,
        'openai-async-raw-stream': gpt,
        'openai-async-unread-body': gpt,
        'openai-async-stalled': 'ReadTimeout',
        'openai-async-error': 'RateLimitError',
        'anthropic-async': claude,
        'anthropic-async-raw': claude,
        'anthropic-async-raw-stream': claude,
        'langchain-error': 'OpenAIRateLimitError',
        langchain: `rain in ${gpt}`,
      },
      problems: [],
      dropped: 0,
    });
    const failed = [
      'openai-error',
      'openai-stream-error',
      'openai-async-error',
      'openai-stalled',
      'openai-async-stalled',
      'anthropic-error',
      'anthropic-raw-error',
      'langchain-error',
    ];
    const { results } = await service.byOwner.runs.listRuns({ query: { limit: 50 } });
    const figures = Object.fromEntries(
      results.map(({ agent_name, llm_call_count, tokens }) => [
        agent_name,
        [llm_call_count, tokens],
      ]),
    );
    expect(figures).toEqual({
      openai: [1, 8],
      'openai-options': [1, 8],
      'openai-raw': [1, 8],
      'openai-stream': [1, 8],
      'openai-raw-stream': [1, 8],
      'openai-streaming-response': [1, 8],
      'openai-unread-body': [1, 8],
      // The program read the bytes itself, or nothing.
      'openai-body-pieces': [1, 0],
      'openai-raw-lines': [1, 0],
      'openai-raw-closed': [1, 0],
      'openai-raw-dropped': [1, 0],
      'openai-closed': [1, 0],
      'openai-helper': [1, 8],
      // The stream was abandoned after the first piece; the provider reports usage at the end.
      'openai-left': [1, 0],
      'openai-breaks': [1, 0],
      // The provider reports the input, and one token of output, with the first event.
      'anthropic-raw-breaks': [1, 4],
      anthropic: [1, 8],
      'anthropic-options': [1, 8],
      'anthropic-stream': [1, 8],
      'anthropic-raw': [1, 8],
      'anthropic-raw-stream': [1, 8],
      'openai-async': [1, 8],
      'openai-async-stream': [1, 8],
      'openai-async-raw-stream': [1, 8],
      'openai-async-unread-body': [1, 8],
      'anthropic-async': [1, 8],
      'anthropic-async-raw': [1, 8],
      'anthropic-async-raw-stream': [1, 8],
      'anthropic-async-closed': [1, 0],
      langchain: [1, 8],
      ...Object.fromEntries(failed.map((name) => [name, [0, 0]])),
    });
    const spans = async ({ id }: { id: number }): Promise<object[]> => {
      const params = { id: String(id) };
      return (await service.byOwner.runs.listRunSpans({ params, query: {} })).results;
    };
    const failures: Record<string, object[]> = {};
    for (const run of results) failures[run.agent_name] = await spans(run);
    const failure = (name: string, error = 'RateLimitError: ') => [
      { name, kind: 'reasoning', status: 'error', attributes: { error: startingWith(error) } },
    ];
    expect(failures).toMatchObject({
      openai: [],
      'openai-breaks': [],
      'openai-error': failure('sort limited'),
      'openai-stream-error': failure('sort limited'),
      'openai-async-error': failure('sort limited'),
      'openai-stalled': failure('sort gpt-4o', 'ReadTimeout: '),
      'openai-async-stalled': failure('sort gpt-4o', 'ReadTimeout: '),
      'anthropic-error': failure('call limited'),
      'langchain-error': failure('call limited', 'OpenAIRateLimitError: '),
    });
  });

  test('all code of the package, whether or not a test runs it, is for the oldest Python', async () => {
    const target = [`--target=${oldestPythonVersion}-`, '--violations', '--no-tips'];
    const vermin = runPython(join(clientsEnvironment, 'bin/vermin'), [...target, join(sdk, 'src')]);
    // It exits with 1 for code that needs a newer Python, and prints where that is.
    const { stdout } = await vermin.catch((error: unknown) => error as { stdout: string });
    expect(stdout).toContain('Minimum required versions: 3');
    expect(stdout).not.toMatch(/ requires | not met/);
  });

  test('the package builds as wheel and sdist, typed, like the wheel of the control plane', async () => {
    const out = mkdtempSync(join(tmpdir(), 'svc-observe-python-'));
    try {
      const build = ['-m', 'build', '--no-isolation', '--outdir', out, sdk];
      await runPython(clientsPython, build);
      const [wheel, sdist] = readdirSync(out).toSorted();
      expect(wheel).toMatch(/^svc_observe-[\d.]+-py3-none-any\.whl$/);
      expect(sdist).toMatch(/^svc_observe-[\d.]+\.tar\.gz$/);
      await execute(process.execPath, [
        join(root, 'control-plane/sdk-packages/build.ts'),
        join(out, 'served'),
      ]);
      const built = unzipSync(readFileSync(join(out, wheel as string)));
      const served = unzipSync(readFileSync(join(out, 'served', packageNames.wheel)));
      // setuptools lists the import packages in a file that no installer reads.
      const paths = Object.keys(built).filter((path) => !path.endsWith('/top_level.txt'));
      expect(Object.keys(served).toSorted()).toEqual(paths.toSorted());
      expect(paths).toContain('svc_observe/py.typed');
      expect(paths.join(' ')).not.toContain('tests/');
      const own = /\/(WHEEL|RECORD)$/;
      for (const path of paths.filter((name) => !own.test(name)))
        expect(`${path}\n${strFromU8(served[path]!)}`).toBe(`${path}\n${strFromU8(built[path]!)}`);
    } finally {
      rmSync(out, { recursive: true });
      for (const left of ['build', 'src/svc_observe.egg-info'])
        rmSync(join(sdk, left), { recursive: true, force: true });
    }
  });
});

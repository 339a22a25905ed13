import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HeldRequest } from '#agent/core/capture/enforcement/held-request.ts';
import {
  type CallCheck,
  callCheck,
  MAX_CHECKED_PROMPT_LENGTH,
  MAX_CHECKED_REQUEST_LENGTH,
} from '#contract/call-check.ts';
import { gzipSync } from 'node:zlib';
import { findUnstorable } from '../../../../control-plane/http/storable.ts';
import type { CapturedConnection } from '../captured-connection.ts';
import {
  type CallChecks,
  type CallChecksOptions,
  createCallChecks,
  NO_ANSWER,
} from './call-checks.ts';

const connection: CapturedConnection = {
  host: 'api.openai.com',
  protocol: 'http/1.1',
  client: { pid: 1, process: 'curl', path: '/usr/bin/curl', user: 'ada', signingId: null },
};
const passed = { refused: false, policy: null, reason: '' };

let checks: CallChecks;
let notices: string[];
let requestedChecks: CallCheck[];
afterEach(() => {
  vi.useRealTimers();
  return checks.close();
});

function start(options: Partial<CallChecksOptions> = {}): void {
  notices = [];
  requestedChecks = [];
  checks = createCallChecks({
    requestVerdict: (check) => {
      requestedChecks.push(check);
      return Promise.resolve(passed);
    },
    onNotice: (line) => notices.push(line),
    timeoutMs: 20_000,
    ...options,
  });
}

const requestOf = (body: Buffer | string, more: Partial<HeldRequest> = {}): HeldRequest => ({
  id: 0,
  authority: null,
  method: 'POST',
  target: '/v1/chat/completions?key=secret',
  version: 'http/1.1',
  headers: [['content-type', 'application/json']],
  body: [Buffer.from(body)],
  truncated: false,
  ...more,
});
const chat = (...contents: string[]) =>
  JSON.stringify({
    model: 'gpt-4o',
    messages: contents.map((content) => ({ role: 'user', content })),
  });

describe('the check request', () => {
  const requestedCheck = async (request: HeldRequest, isRead = true): Promise<CallCheck> => {
    start();
    expect(await checks.evaluate(connection, request)).toBeNull();
    expect(notices).toHaveLength(isRead ? 0 : 1);
    const [check] = requestedChecks;
    return callCheck.parse(check);
  };

  test('is accepted by the control plane, whatever the client sent', async () => {
    const odd = `\0 \ud800 ${'x'.repeat(MAX_CHECKED_REQUEST_LENGTH)}🎉`;
    for (const content of [odd.slice(0, 100), odd]) {
      const headers = [['content-type', 'text/plain'] as const];
      const check = await requestedCheck(
        requestOf(`{"model": "m\0", "messages": [{"role": "user", "content": "${content}"}]}`, {
          headers,
        }),
        false,
      );
      expect(findUnstorable(check, 'check')).toBeUndefined();
    }
  });

  test("contains nothing that the tenant's own rules mask", async () => {
    const patterns = [{ name: 'EMPLOYEE_ID', pattern: 'emp-[0-9]{4}' }];
    start({ tenantRules: () => ({ keys: [], patterns }) });
    await checks.evaluate(connection, requestOf(chat('I am emp-1234')));
    expect(requestedChecks[0]?.request).toBe(chat('I am ##EMPLOYEE_ID##'));
  });

  test('is redacted, decompressed, and without the query', async () => {
    const body = gzipSync(chat('I am ada@example.com'));
    const headers = [...requestOf('').headers, ['content-encoding', 'gzip'] as const];
    expect(await requestedCheck(requestOf(body, { headers }))).toMatchObject({
      host: 'api.openai.com',
      process: 'curl',
      user: 'ada',
      path: '/v1/chat/completions',
      provider: 'OpenAI',
      model: 'gpt-4o',
      request: chat('I am ##EMAIL##'),
      request_truncated: false,
      prompt: null,
      redactions: { EMAIL: 1 },
    });
  });

  test.each([
    ['text with a coding that it does not have', chat('mine'), ['gzip']],
    ['text with an unknown coding', chat('mine'), ['none']],
    ['codings in several lines', gzipSync(chat('mine')), ['identity', 'gzip']],
  ])('has the content that servers read: %s', async (_, body, codings) => {
    const lines = codings.map((coding) => ['content-encoding', coding] as const);
    const headers = [...requestOf('').headers, ...lines];
    expect(await requestedCheck(requestOf(body, { headers }))).toMatchObject({
      model: 'gpt-4o',
      request: chat('mine'),
    });
  });

  test('has the JSON of a call with the type of a file', async () => {
    const headers = [['content-type', 'image/png'] as const];
    expect(await requestedCheck(requestOf(chat('mine'), { headers }))).toMatchObject({
      model: 'gpt-4o',
      request: chat('mine'),
    });
  });

  test.each([
    ['a number that JSON does not have', '{"model":"gpt-4o","messages":[],"x":NaN}'],
    ['a deep member', `{"x":${'['.repeat(300)}${']'.repeat(300)},"model":"gpt-4o","messages":[]}`],
  ])('has the model of a call with %s', async (_, body) => {
    expect(await requestedCheck(requestOf(body))).toMatchObject({ model: 'gpt-4o' });
  });

  test.each([
    ['generativelanguage.googleapis.com', '/v1beta/models/gemini-3:generateContent', 'gemini-3'],
    ['a.openai.azure.com', '/openai/deployments/gpt/chat/completions', 'gpt'],
  ])('has the model that the URL names, whatever the body: %s', async (host, target, model) => {
    start();
    await checks.evaluate({ ...connection, host }, requestOf("{'contents':[],}", { target }));
    expect(requestedChecks[0]).toMatchObject({ model });
  });

  test.each([
    '/v1/ch%61t/completions',
    '/upload/../v1/chat%2Fcompletions',
    `${'/a/..'.repeat(1000)}/v1/chat/completions/.`,
  ])('has the content and the model of a call to %.40s', async (target) => {
    const expected = { model: 'gpt-4o', request: chat('mine') };
    expect(await requestedCheck(requestOf(chat('mine'), { target }))).toMatchObject(expected);
  });

  test('of a long call contains its newest messages', async () => {
    const check = await requestedCheck(requestOf(chat('word '.repeat(60_000), 'and now?')));
    expect(JSON.parse(check.request ?? '')).toEqual({
      model: 'gpt-4o',
      messages: ['[1 message, not uploaded]', { role: 'user', content: 'and now?' }],
    });
    expect(check).toMatchObject({ request_truncated: true, prompt: 'and now?' });
  });

  test('of a long message contains its beginning and its end', async () => {
    const last = `${'more '.repeat(60_000)}the end of ada@example.com`;
    const check = await requestedCheck(requestOf(chat('hello', last)));
    expect(check.request).toHaveLength(MAX_CHECKED_REQUEST_LENGTH);
    expect(check.prompt).toHaveLength(MAX_CHECKED_PROMPT_LENGTH);
    expect(check.prompt?.endsWith('the end of ##EMAIL##')).toBe(true);
    expect(check).toMatchObject({ request_truncated: true, redactions: { EMAIL: 1 } });
  });

  test.each([
    ['what is no JSON', Buffer.from('hello ada@example.com'), { request: 'hello ##EMAIL##' }],
    ['no body at all', Buffer.alloc(0), { request: null, model: null }],
  ])('of %s contains the parts that can be sent', async (_, body, expected) => {
    expect(await requestedCheck(requestOf(body))).toMatchObject(expected);
  });

  test('names what an attached text file contains, but not the file', async () => {
    const file = Buffer.from('note,mail\na,jane.doe@example.com\n'.repeat(9)).toString('base64');
    const url = `data:text/csv;base64,${file}`;
    const check = await requestedCheck(requestOf(chat(`see <${url}>`)));
    expect(check.request).toContain('see <data:text/csv;base64,[');
    expect(check.request).not.toContain(file.slice(0, 20));
    expect(check.redactions).toEqual({ EMAIL: 9 });
  });

  test('of a truncated body says so', async () => {
    const cut = requestOf(chat('hello').slice(0, -3), { truncated: true });
    expect(await requestedCheck(cut)).toMatchObject({ model: 'gpt-4o', request_truncated: true });
  });
});

test.each([
  ['bytes that are no text', Buffer.from([0xff, 0x00, 0xfe]), []],
  ['an unknown coding', gzipSync(chat('mine')), [['content-encoding', 'none'] as const]],
])('of %s, the model is evaluated, and the admin is notified', async (_, body, more) => {
  start();
  const headers = [...requestOf('').headers, ...more];
  const target = '/openai/deployments/gpt/chat/completions';
  expect(await checks.evaluate(connection, requestOf(body, { headers, target }))).toBeNull();
  expect(requestedChecks).toMatchObject([{ model: 'gpt', request: null }]);
  expect(notices).toEqual([
    'api.openai.com: a call was checked without its content, which could not be read',
  ]);
});

describe('a call passes, and the admin is notified, when', () => {
  test.each<[string, Partial<CallChecksOptions>, string]>([
    [
      'no response arrives in time',
      { requestVerdict: () => new Promise(() => undefined), timeoutMs: 50 },
      'there was no answer within 50 ms',
    ],
    [
      'there is no answer',
      { requestVerdict: () => Promise.resolve(NO_ANSWER) },
      'the control plane did not answer',
    ],
    [
      'the request fails',
      { requestVerdict: () => Promise.reject(new Error('x')) },
      'the control plane did not answer',
    ],
  ])('%s', async (_, options, why) => {
    start(options);
    expect(await checks.evaluate(connection, requestOf(chat('hi')))).toBeNull();
    expect(notices).toEqual([`api.openai.com: a call passed without a policy check: ${why}`]);
  });

  test('the thread has ended, and the next call is evaluated again', async () => {
    start();
    const evaluated = checks.evaluate(connection, requestOf(chat('hi')));
    await checks.close();
    expect(await evaluated).toBeNull();
    expect(notices).toEqual([
      'api.openai.com: a call passed without a policy check: it could not be redacted',
    ]);
    expect(await checks.evaluate(connection, requestOf(chat('hi')))).toBeNull();
    expect(requestedChecks).toHaveLength(1);
  });

  test('the time limit has passed, and the request is aborted', async () => {
    const requested = Promise.withResolvers<AbortSignal>();
    start({
      timeoutMs: 3_000,
      requestVerdict: (_, signal) =>
        new Promise((resolve) => {
          requested.resolve(signal);
          signal.addEventListener('abort', () => resolve(NO_ANSWER));
        }),
    });
    // Fake timers are used because the thread may take longer than the time limit to start.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const evaluated = checks.evaluate(connection, requestOf(chat('hi')));
    const signal = await requested.promise;
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(3_000);
    expect(await evaluated).toBeNull();
    expect(signal.aborted).toBe(true);
  });
});

test('only calls that the control plane refuses are refused', async () => {
  const verdict = { refused: true, policy: 'P', reason: 'no' };
  start({ requestVerdict: () => Promise.resolve(verdict) });
  expect(await checks.evaluate(connection, requestOf(chat('hi')))).toMatchObject(verdict);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CHECKED_REQUEST_LENGTH } from '#contract/call-check.ts';
import { field, listOf } from '#domain/providers/json-fields.ts';
import { createCopyBudget } from '../wire/copy-budget.ts';
import { bytesOf, textOf } from '../wire/testing/recorder.ts';
import type { PolicyRefusal } from './refusal.ts';
import { socketCallsFor, type SocketCall, type SocketCalls } from './socket-calls.ts';
import { encodeFrame } from './socket-frames.ts';
import { createSocketGate } from './socket-gate.ts';

const HOST = 'api.openai.com';
const MASK = Uint8Array.of(1, 2, 3, 4);
const refusal: PolicyRefusal = { policy: 'P', reason: 'no' };

const callsOf = (
  host: string,
  target: string,
  { upgrade = 'websocket', budget = createCopyBudget(1_000_000) } = {},
) => {
  const headers = [
    ['host', host],
    ['upgrade', upgrade],
  ] as const;
  const head = { method: 'GET', target, authority: null, version: 'http/1.1', headers } as const;
  return socketCallsFor(host, head, budget);
};

const message = (text: string): Uint8Array => encodeFrame(1, new TextEncoder().encode(text), MASK);
const call = (input: string): Uint8Array =>
  message(JSON.stringify({ type: 'response.create', input }));
const ping = encodeFrame(9, Uint8Array.of(7), MASK);

/** Returns a message in several frames, with a ping between them. */
function fragmented(whole: Uint8Array): Uint8Array[] {
  const payload = whole.map((byte, i) => (i < 6 ? byte : byte ^ (MASK[(i - 6) & 3] ?? 0))).slice(6);
  const half = payload.length >> 1;
  const first = encodeFrame(1, payload.slice(0, half), MASK);
  first[0] = 1; // not the final frame
  const last = encodeFrame(0, payload.slice(half), MASK);
  return [first, ping, last];
}

/** Creates a gate that refuses calls with the word, as soon as its microtasks run. */
function gate(word = 'secret', budget = createCopyBudget(1_000_000)) {
  const seen = {
    toServer: '',
    toClient: '',
    ownResponses: 0,
    evaluations: 0,
    resumed: 0,
    closed: 0,
    givenUp: '',
  };
  const calls = callsOf(HOST, '/v1/responses', { budget });
  if (!calls) throw new Error('no calls');
  const socket = createSocketGate({
    calls,
    isEnabled: () => true,
    maxMessageBytes: 5000,
    budget,
    toServer: (bytes) => (seen.toServer += textOf(bytes)),
    toClient: (bytes) => (seen.toClient += textOf(bytes)),
    sendOwn: () => (seen.ownResponses += 1),
    random: (count) => new Uint8Array(count),
    evaluate: (request) => {
      seen.evaluations += 1;
      return Promise.resolve(JSON.stringify(request).includes(word) ? refusal : null);
    },
    onRefused: () => undefined,
    onPassed: () => undefined,
    onResume: () => (seen.resumed += 1),
    onClosed: () => (seen.closed += 1),
    onGivenUp: (reason) => (seen.givenUp = reason),
  });
  return { seen, socket, budget };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
};

describe('a WebSocket', () => {
  test('passes unchanged, without refused calls, for any split of its bytes', async () => {
    const part = fc.oneof(
      fc.constantFrom('secret', 'harmless').map((input) => ({ input, isFragmented: false })),
      fc.constantFrom('secret', 'harmless').map((input) => ({ input, isFragmented: true })),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.nat({ max: 300 }), { maxLength: 20 }),
        async (parts, cuts) => {
          const frames = parts.map((one) => {
            if (!one) return { sent: [message('{"type":"other"}')], passes: 'all' as const };
            const whole = call(one.input);
            const sent = one.isFragmented ? fragmented(whole) : [whole];
            return {
              sent,
              passes: one.input === 'secret' ? ('controls' as const) : ('all' as const),
            };
          });
          const bytes = bytesOf(frames.flatMap(({ sent }) => sent.map(textOf)).join(''));
          const { seen, socket, budget } = gate();
          let at = 0;
          for (const length of [...cuts, bytes.length]) {
            socket.fromClient(bytes.subarray(at, at + length));
            at += length;
            await settled();
          }
          // A ping may overtake the message in which it was sent.
          const sorted = (text: string) => text.replaceAll(textOf(ping), '');
          const expected = frames
            .filter(({ passes }) => passes === 'all')
            .flatMap(({ sent }) => sent);
          expect(sorted(seen.toServer)).toBe(sorted(expected.map(textOf).join('')));
          expect(seen.ownResponses).toBe(parts.filter((one) => one?.input === 'secret').length);
          expect(budget.held()).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('gets a response of the agent only between two messages of the server', async () => {
    const { seen, socket } = gate();
    const event = textOf(encodeFrame(1, new TextEncoder().encode('event')));
    socket.fromServer(bytesOf(event + event.slice(0, 3)));
    socket.fromClient(call('secret'));
    await settled();
    expect([seen.evaluations, seen.ownResponses]).toEqual([1, 0]);
    socket.fromServer(bytesOf(event.slice(3)));
    expect([seen.toClient, seen.ownResponses]).toEqual([event + event, 1]);
  });

  test.each([
    ['a frame that is too long', message('x'.repeat(6000))],
    ['bytes that are no frame', bytesOf('\x8f\x80GET / HTTP/1.1')],
  ])('passes unchecked after %s', async (_, bytes) => {
    const { seen, socket, budget } = gate();
    socket.fromClient(bytesOf(textOf(message('{}')) + textOf(bytes)));
    socket.fromClient(call('secret'));
    await settled();
    expect(seen.givenUp).not.toBe('');
    expect(seen.toServer).toBe([message('{}'), bytes, call('secret')].map(textOf).join(''));
    expect(budget.held()).toBe(0);
  });

  test('that becomes unreadable after a call: the call is evaluated first', async () => {
    const long = message('x'.repeat(6000));
    for (const input of ['secret', 'harmless']) {
      const { seen, socket } = gate();
      socket.fromClient(bytesOf(textOf(call(input)) + textOf(long.subarray(0, 100))));
      socket.fromClient(long.subarray(100));
      expect([seen.toServer, seen.givenUp, socket.isWaiting()]).toEqual(['', '', true]);
      await settled();
      expect(seen.toServer).toBe((input === 'secret' ? '' : textOf(call(input))) + textOf(long));
      expect([seen.evaluations, seen.ownResponses]).toEqual([1, input === 'secret' ? 1 : 0]);
      expect([seen.givenUp, socket.isWaiting()]).toEqual([expect.stringContaining('over'), false]);
      expect(seen.resumed).toBe(1);
    }
  });

  test('whose server sends an invalid frame: a held call is evaluated, then everything passes', async () => {
    for (const input of ['secret', 'harmless']) {
      const { seen, socket, budget } = gate();
      socket.fromClient(call(input));
      socket.fromServer(bytesOf('\x8f\x00'));
      socket.fromClient(message('{}'));
      expect([seen.toServer, socket.isWaiting()]).toEqual(['', true]);
      await settled();
      const passed = input === 'secret' ? [message('{}')] : [call(input), message('{}')];
      expect(seen.toServer).toBe(passed.map(textOf).join(''));
      expect([seen.evaluations, seen.ownResponses]).toEqual([1, input === 'secret' ? 1 : 0]);
      expect([seen.resumed, socket.isWaiting(), budget.held()]).toEqual([1, false, 0]);
      expect(seen.givenUp).not.toBe('');
    }
  });

  test('passes unchecked after a message with too many fragments', () => {
    const { seen, socket, budget } = gate();
    const first = encodeFrame(1, Uint8Array.of(), MASK);
    first[0] = 1; // not the final frame
    const empty = encodeFrame(0, Uint8Array.of(), MASK);
    empty[0] = 0;
    const frames = [first, ...Array.from({ length: 20 }, () => empty)].map(textOf).join('');
    socket.fromClient(bytesOf(frames));
    expect([seen.toServer, seen.givenUp]).toEqual([frames, 'a message too long to hold']);
    expect(budget.held()).toBe(0);
  });

  test('passes unchecked after a message that is nested too deeply', async () => {
    const { seen, socket } = gate();
    const nested = `${'['.repeat(300)}${']'.repeat(300)}`;
    const deep = message(`{"type":"response.create","input":${nested}}`);
    const text = textOf(message('no JSON')) + textOf(deep) + textOf(call('secret'));
    socket.fromClient(bytesOf(text));
    await settled();
    expect([seen.toServer, seen.givenUp]).toEqual([text, 'a message nested too deeply']);
  });

  test('passes if there is no memory to hold a message', () => {
    const { seen, socket } = gate('secret', createCopyBudget(10));
    socket.fromClient(call('secret'));
    expect(seen.toServer).toBe(textOf(call('secret')));
    expect(seen.givenUp).not.toBe('');
  });
});

describe('calls on a WebSocket', () => {
  test.each([
    [HOST, '/v1/realtime?model=gpt-realtime', true],
    [HOST, '/v1/responses', true],
    ['chatgpt.com', '/backend-api/codex/responses', true],
    ['generativelanguage.googleapis.com', '/ws/a.b.GenerativeService.BidiGenerateContent', true],
    [HOST, '/v1/chat/completions', false],
    [HOST, '/v1/other', false],
  ])('%s%s has calls: %s', (host, target, isHeld) => {
    expect(callsOf(host, target) !== null).toBe(isHeld);
    expect(callsOf(host, target, { upgrade: 'h2c' })).toBeNull();
  });

  const LIVE = ['generativelanguage.googleapis.com', '/ws/x.BidiGenerateContent'] as const;
  const REALTIME = [HOST, '/v1/realtime?model=gpt-realtime'] as const;

  /** Reads messages of a client and returns the last call. */
  const readAll = (calls: SocketCalls | null, ...messages: readonly object[]) =>
    messages
      .map((read) => calls?.read(read, JSON.stringify(read).length) ?? null)
      .findLast((call) => call !== null);
  const item = (id: string, content = '') => ({
    type: 'conversation.item.create',
    item: { id, content },
  });
  const respond = (response: object = {}) => ({ type: 'response.create', event_id: 'e', response });

  test('of the Realtime API consist of the session, the items and the call', () => {
    const calls = callsOf(...REALTIME);
    expect(
      readAll(
        calls,
        { type: 'session.update', session: { instructions: 'Be brief.', voice: 'ash' } },
        { type: 'session.update', session: { voice: 'sage' } },
        item('one'),
        { type: 'input_audio_buffer.append', audio: 'AAAA' },
      ),
    ).toBeUndefined();
    expect(readAll(calls, respond({ x: 1 }))).toEqual({
      request: {
        session: { model: 'gpt-realtime', instructions: 'Be brief.', voice: 'sage' },
        items: [{ id: 'one', content: '' }],
        responses: [{ x: 1 }],
      },
      truncated: false,
    });
    const answer = calls?.refuse(refusal, 'id');
    expect(answer?.kind === 'event' && JSON.parse(answer.text)).toMatchObject({
      type: 'error',
      event_id: 'event_id',
      error: { code: 'policy_refused', event_id: 'e' },
    });
  });

  test('of Gemini Live consist of the setup and the turns', () => {
    const calls = callsOf(...LIVE);
    const turn = { role: 'user', parts: [{ text: 'hi' }] };
    expect(
      readAll(
        calls,
        { setup: { model: 'models/live', tools: [] } },
        { clientContent: { turns: [turn] } },
        { realtimeInput: { audio: {} } },
      ),
    ).toBeUndefined();
    expect(readAll(calls, { realtimeInput: { text: 'now' } })).toEqual({
      request: {
        model: 'live',
        tools: [],
        contents: [turn, { role: 'user', parts: [{ text: 'now' }] }],
      },
      truncated: false,
    });
    expect(calls?.refuse(refusal, 'id')).toEqual({
      kind: 'close',
      reason: `Blocked by your organization's policy "P": no`,
    });
  });

  const lengthOf = (call: SocketCall | undefined) => JSON.stringify(call?.request).length;

  test('of a long conversation consist of its newest part that can be evaluated', () => {
    const budget = createCopyBudget(1_000_000);
    const calls = callsOf(...REALTIME, { budget });
    const items = Array.from({ length: 40 }, (_, i) => item(`${i}`, 'x'.repeat(10_000)));
    const session = { type: 'session.update', session: { instructions: 'y'.repeat(20_000) } };
    const created = respond({ instructions: 'z'.repeat(30_000) });
    const call = readAll(calls, session, ...items, created);
    expect(call).toMatchObject({ truncated: true });
    expect(Object.keys(call?.request ?? {})).toEqual(['responses', 'items', 'session']);
    const ids = listOf(field(call?.request, 'items')).map((one) => field(one, 'id'));
    expect(ids).toEqual(['30', '31', '32', '33', '34', '35', '36', '37', '38', '39']);
    expect(lengthOf(call)).toBeLessThan(MAX_CHECKED_REQUEST_LENGTH);
    expect(budget.held()).toBeLessThan(MAX_CHECKED_REQUEST_LENGTH);
    calls?.release();
    expect(budget.held()).toBe(0);
  });

  test('keep the session and items within the limit, however often they are set', () => {
    const budget = createCopyBudget(1_000_000);
    const calls = callsOf(...REALTIME, { budget });
    for (let i = 0; i < 30; i += 1) {
      const session = { [`member${i}`]: 'x'.repeat(20_000) };
      readAll(calls, { type: 'session.update', session });
    }
    expect(lengthOf(readAll(calls, respond()))).toBeLessThan(MAX_CHECKED_REQUEST_LENGTH);
    expect(budget.held()).toBeLessThan(MAX_CHECKED_REQUEST_LENGTH);
  });

  test('of Gemini Live include at least the newest message, whatever its length', () => {
    const turns = (text: string) => ({ role: 'user', parts: [{ text }] });
    const call = readAll(
      callsOf(...LIVE),
      { clientContent: { turns: [turns('old')] } },
      { clientContent: { turns: [turns('n'.repeat(300_000))], turnComplete: true } },
    );
    expect(call?.truncated).toBe(true);
    expect(field(call?.request, 'contents')).toEqual([turns('n'.repeat(300_000))]);
  });

  test('of Gemini Live may have any number of turns', () => {
    const turns = Array.from({ length: 200_000 }, () => 1);
    const call = readAll(callsOf(...LIVE), { clientContent: { turns, turnComplete: true } });
    expect(field(call?.request, 'contents')).toHaveLength(200_000);
  });

  test('consist only of the call if there is no memory for the context', () => {
    const calls = callsOf(...REALTIME, { budget: createCopyBudget(1000) });
    const call = readAll(calls, item('one', 'x'.repeat(2000)), item('two'), respond({ x: 1 }));
    expect(call).toMatchObject({
      request: { responses: [{ x: 1 }], items: [{ id: 'two' }] },
      truncated: true,
    });
  });
});

import { expect, test } from 'vitest';
import type { RecordingLevel } from '#contract/guard.ts';
import { readCursorEvent } from './cursor-event.ts';
import { cursorOtlpBody, type CursorSpan } from './cursor-spans.ts';
import { createCursorTurns, CURSOR_CALL_MS } from './cursor-turns.ts';

const common = {
  conversation_id: '409ef9fc',
  generation_id: 'ba665312',
  model: 'composer-2.5-fast',
  cursor_version: '3.7.27',
  user_email: 'grace@example.com',
};
const tokens = (input_tokens: number, output_tokens: number, cache_read_tokens = 0) => ({
  input_tokens,
  output_tokens,
  cache_read_tokens,
  cache_write_tokens: 0,
});
const prompt = { hook_event_name: 'beforeSubmitPrompt', prompt: 'SECRET-PROMPT' };
const answer = (text: string, used: object = {}) => ({
  hook_event_name: 'afterAgentResponse',
  text,
  ...used,
});
const stop = (more: object = {}) => ({
  hook_event_name: 'stop',
  status: 'completed',
  loop_count: 0,
  ...more,
});
const tool = (tool_name: string, more: object = {}) => ({
  hook_event_name: 'postToolUse',
  tool_name,
  tool_input: { command: 'SECRET-INPUT' },
  tool_output: 'SECRET-OUTPUT',
  tool_use_id: `use of ${tool_name}`,
  duration: 100.4,
  ...more,
});
const edit = {
  hook_event_name: 'afterFileEdit',
  file_path: '/x/SECRET-PATH.ts',
  edits: [{ old_string: 'a', new_string: 'a\nSECRET-LINE' }],
};
const write = tool('Write', { tool_input: { file_path: edit.file_path } });

/** Observes events, a second after each other, and lets all that waits settle. */
function spansOf(events: readonly object[], level: RecordingLevel = 'tools'): CursorSpan[] {
  const turns = createCursorTurns();
  const spans = events.flatMap((own, index) => {
    const event = readCursorEvent({ ...common, ...own }, level);
    if (event === 'skip' || 'error' in event) throw new Error(JSON.stringify(event));
    return turns.observe(event, 1_000_000 + index * 1000);
  });
  const settled = turns.settle(1_000_000 + events.length * 1000 + CURSOR_CALL_MS);
  expect(turns.isWaiting()).toBe(false);
  return [...spans, ...settled];
}
const callsOf = (spans: readonly CursorSpan[]) =>
  spans
    .filter(({ name }) => name === 'chat')
    .map(({ attributes: all }) => [
      all['gen_ai.usage.input_tokens'],
      all['gen_ai.usage.output_tokens'],
      all['gen_ai.usage.cache_read.input_tokens'],
    ]);
const namesOf = (spans: readonly CursorSpan[]) => spans.map(({ name }) => name).toSorted();

test.each([
  [
    'of a running total',
    [answer('a', tokens(100, 10)), answer('b', tokens(250, 30, 90))],
    stop(tokens(250, 30, 90)),
    [
      [100, 10, 0],
      [150, 20, 90],
    ],
  ],
  [
    'that only the end of the turn reports',
    [answer('a'), answer('b')],
    stop(tokens(250, 30, 90)),
    [
      [null, null, null],
      [250, 30, 90],
    ],
  ],
  [
    'of each response',
    [answer('a', tokens(200, 10)), answer('b', tokens(100, 5))],
    stop(tokens(300, 15)),
    [
      [200, 10, 0],
      [100, 5, 0],
    ],
  ],
  [
    'of each response, and of others',
    [answer('a', tokens(200, 10)), answer('b', tokens(100, 5))],
    stop(tokens(320, 16)),
    [
      [200, 10, 0],
      [120, 6, 0],
    ],
  ],
  ['that are never reported', [answer('a')], stop(), [[null, null, null]]],
  [
    'without an end of the turn yet',
    [answer('a', tokens(100, 10)), answer('b', tokens(150, 15))],
    prompt,
    [
      [100, 10, 0],
      [50, 5, 0],
    ],
  ],
  ['without a response', [], stop(tokens(100, 10)), [[100, 10, 0]]],
  [
    'without a response, and of a response after the end',
    [stop(tokens(100, 10))],
    answer('a', tokens(100, 10)),
    [[100, 10, 0]],
  ],
] as const)('tokens %s are counted once', (_, events, last, expected) => {
  expect(callsOf(spansOf([...events, last]))).toEqual(expected);
});

test('an event that arrives twice changes nothing', () => {
  const events = [prompt, tool('Shell'), edit, write, answer('a', tokens(100, 10)), stop()];
  const once = spansOf(events);
  expect(spansOf(events.flatMap((event) => [event, event])).length).toBe(once.length);
  expect(new Set(once.map(({ id }) => id)).size).toBe(once.length);
});

test('the same events have the same ids after a restart of the agent', () => {
  const events = [prompt, tool('Shell'), answer('a'), stop()];
  const idsOf = (spans: readonly CursorSpan[]) => spans.map(({ trace, id }) => [trace, id]);
  expect(idsOf(spansOf(events))).toEqual(idsOf(spansOf(events)));
});

test.each([
  ['before', [edit, write]],
  ['after', [write, edit]],
])('an edit that is reported %s its tool gives it the changed lines', (_, events) => {
  const [only, ...others] = spansOf(events);
  expect(others).toEqual([]);
  expect(only?.attributes).toMatchObject({ lines_added: 1, lines_removed: 0 });
  expect(only?.attributes['gen_ai.tool.call.id']).toBe('use of Write');
});

test('edits of other files, and those without a tool, are reported by themselves', () => {
  const other = { ...edit, file_path: '/x/other.ts' };
  const spans = spansOf([write, other, stop()]);
  expect(namesOf(spans)).toEqual(['execute_tool Write', 'execute_tool Write', 'prompt']);
  expect(spans.map(({ attributes }) => attributes.lines_added)).toEqual([undefined, 1, undefined]);
});

test.each([
  ['completed', null],
  ['aborted', 'aborted'],
  ['error', 'error'],
])('a turn that ends as %s has the error %j', (status, error) => {
  const spans = spansOf([prompt, stop({ status })]);
  expect(spans.find(({ parent }) => parent === null)?.error).toBe(error);
  expect(namesOf(spans)).toEqual(error === null ? ['prompt'] : ['chat', 'prompt']);
});

test('a call begins with the event before it, and a tool with its duration', () => {
  const spans = spansOf([prompt, tool('Shell'), answer('a'), stop()]);
  const times = spans.map(({ name, started_at, ended_at }) => [name, ended_at - started_at]);
  expect(times).toEqual([
    ['execute_tool Shell', 100],
    ['chat', 1000],
    ['prompt', 3000],
  ]);
});

const failed = tool('Grep', {
  hook_event_name: 'postToolUseFailure',
  error_message: 'SECRET-ERROR',
  failure_type: 'timeout',
});

test.each([
  ['metadata', []],
  ['prompts', ['PROMPT', 'ANSWER']],
  ['tools', ['PROMPT', 'ANSWER', 'INPUT', 'OUTPUT', 'PATH', 'ERROR']],
] as const)('at the level %s, only these texts are kept: %j', (level, expected) => {
  const events = [prompt, tool('Shell'), edit, write, failed, answer('SECRET-ANSWER'), stop()];
  const found = (text: string) =>
    ['PROMPT', 'ANSWER', 'INPUT', 'OUTPUT', 'PATH', 'LINE', 'ERROR'].filter((one) =>
      text.includes(`SECRET-${one}`),
    );
  const kept = spansOf(events, level);
  expect(found(JSON.stringify(kept))).toEqual(expected);
  expect(found(JSON.stringify(cursorOtlpBody(kept, level)))).toEqual(expected);
  // The level may have been lowered since the events arrived.
  const all = spansOf(events);
  expect(found(JSON.stringify(cursorOtlpBody(all, level)))).toEqual(expected);
  expect(JSON.stringify(cursorOtlpBody(all, 'metadata'))).toContain('"message":"timeout"');
});

test.each([
  [{ ...common, hook_event_name: 'sessionStart' }, 'skip'],
  [{ ...common, ...prompt, generation_id: '' }, 'skip'],
  [{ hook_event_name: 'stop' }, 'skip'],
  [[], { error: 'cursor: expected a JSON object' }],
])('%j is read as %j', (payload, expected) => {
  expect(readCursorEvent(payload, 'tools')).toEqual(expected);
});

test('the model that Cursor chooses has the name that Cursor shows', () => {
  expect(readCursorEvent({ ...common, ...stop(), model: 'default' }, 'tools')).toMatchObject({
    model: 'Auto',
  });
});

test('tokens that come long after the last call are counted', () => {
  const turns = createCursorTurns();
  const observe = (own: object, at: number) => {
    const event = readCursorEvent({ ...common, ...own }, 'metadata');
    if (event === 'skip' || 'error' in event) throw new Error('no event');
    return turns.observe(event, at);
  };
  expect(observe(answer('a', tokens(100, 10)), 0)).toEqual([]);
  expect(turns.settle(CURSOR_CALL_MS - 1)).toEqual([]);
  expect(callsOf(turns.settle(CURSOR_CALL_MS))).toEqual([[100, 10, 0]]);
  expect(turns.isWaiting()).toBe(false);
  observe(stop(tokens(120, 12)), CURSOR_CALL_MS + 1);
  expect(callsOf(turns.settle(2 * CURSOR_CALL_MS))).toEqual([[20, 2, 0]]);
});

test('a forgotten turn loses no call', () => {
  const turns = createCursorTurns();
  const spans: CursorSpan[] = [];
  for (let index = 0; index < 201; index += 1) {
    const event = readCursorEvent(
      { ...common, ...answer('a', tokens(index + 1, 1)), generation_id: `g${index}` },
      'metadata',
    );
    if (event === 'skip' || 'error' in event) throw new Error('no event');
    spans.push(...turns.observe(event, index));
  }
  expect(callsOf(spans)).toEqual([[1, 1, 0]]);
});

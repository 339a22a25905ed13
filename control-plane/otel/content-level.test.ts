import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testSpan } from '#test/otel/test-span.ts';
import type { Attributes, Json } from './attributes.ts';
import { removedByLevel, withinLevel } from './content-level.ts';

const call: Attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' };
const tool: Attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'Bash' };

/** The scope of a client with rules. */
const CLIENT = { name: 'com.anthropic.claude_code.events', version: '1' };

const attributesAt = (
  attributes: Attributes,
  level: Parameters<typeof withinLevel>[1],
  scope = CLIENT,
) => withinLevel(testSpan({ attributes, scope }), level).attributes;

describe('an attribute', () => {
  test.each<[string, Attributes, string, Json, { metadata: boolean; prompts: boolean }]>([
    ['a prompt', call, 'gen_ai.prompt', 'hello', { metadata: false, prompts: true }],
    ['an answer', call, 'output.value', 'hello', { metadata: false, prompts: true }],
    [
      'a message',
      call,
      'llm.input_messages.0.message.content',
      'hello',
      { metadata: false, prompts: true },
    ],
    [
      'arguments of a tool',
      tool,
      'gen_ai.tool.call.arguments',
      'ls',
      { metadata: false, prompts: false },
    ],
    ['the result of a tool', tool, 'output.value', 'a.txt', { metadata: false, prompts: false }],
    ['the name of a tool', tool, 'gen_ai.tool.name', 'Bash', { metadata: true, prompts: true }],
    ['a decision', tool, 'decision', 'accept', { metadata: true, prompts: true }],
    ['tokens', call, 'gen_ai.usage.input_tokens', '21', { metadata: true, prompts: true }],
    [
      'finish reasons',
      call,
      'gen_ai.response.finish_reasons',
      ['stop'],
      { metadata: true, prompts: true },
    ],
    ['an unmapped text', call, 'acme.thoughts', 'hello', { metadata: false, prompts: false }],
    ['an unmapped list', call, 'acme.lines', ['hello'], { metadata: false, prompts: false }],
    [
      'an unmapped object',
      call,
      'acme.body',
      { text: 'hello' },
      { metadata: false, prompts: false },
    ],
    ['an unmapped text of a tool', tool, 'full_command', 'ls', { metadata: false, prompts: false }],
    ['a path', tool, 'cwd', '/home/ada', { metadata: false, prompts: false }],
    ['an unmapped number', call, 'acme.retries', 2, { metadata: true, prompts: true }],
    ['an unmapped Boolean', tool, 'acme.cached', false, { metadata: true, prompts: true }],
  ])('with %s is kept at its levels', (_what, base, name, value, kept) => {
    const attributes = { ...base, [name]: value };
    const without = Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name));
    for (const level of ['metadata', 'prompts'] as const)
      expect(attributesAt(attributes, level)).toEqual(kept[level] ? attributes : without);
    expect(attributesAt(attributes, 'tools')).toEqual(attributes);
  });

  test.each(['decision', 'source', 'status', 'trigger', 'tool'])(
    'of a coding agent, `%s`, keeps no text of another program, and no object of any',
    (name) => {
      const other = { name: 'acme', version: '1' };
      expect(attributesAt({ ...call, [name]: 'a free text' }, 'prompts', other)).toEqual(call);
      expect(attributesAt({ ...call, [name]: ['a free text'] }, 'prompts')).toEqual(call);
      expect(attributesAt({ ...call, [name]: { text: 'secret' } }, 'prompts')).toEqual(call);
    },
  );

  test('without a mapping keeps no text below `tools`', () => {
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(json, fc.constantFrom(call, tool), (value, base) => {
        for (const level of ['metadata', 'prompts'] as const) {
          const kept = attributesAt({ ...base, 'acme.value': value }, level)['acme.value'] ?? null;
          expect(kept === null || ['number', 'boolean'].includes(typeof kept)).toBe(true);
        }
      }),
    );
  });
});

test('the error of a call remains, and that of a tool, which may be its output, does not', () => {
  const failed = (attributes: Attributes, level: 'metadata' | 'prompts' | 'tools') =>
    withinLevel(testSpan({ attributes, error: 'no such file: /home/ada/plan' }), level).error;
  expect(failed(call, 'metadata')).toBe('no such file: /home/ada/plan');
  expect(failed(tool, 'metadata')).toBe('failed');
  expect(failed(tool, 'prompts')).toBe('failed');
  expect(failed(tool, 'tools')).toBe('no such file: /home/ada/plan');
});

test('an evaluation keeps its result at `metadata`, without the explanation', () => {
  const result = { 'gen_ai.evaluation.name': 'Tone', 'gen_ai.evaluation.score.label': 'good' };
  const attributes = { ...result, 'gen_ai.evaluation.explanation': 'It quotes the plan.' };
  const event = { name: 'gen_ai.evaluation.result', at: 1, attributes };
  const span = testSpan({ attributes: { ...call, ...attributes }, events: [event] });
  expect(withinLevel(span, 'metadata')).toMatchObject({
    attributes: { ...call, ...result },
    events: [{ attributes: result }],
  });
  expect(JSON.stringify(withinLevel(span, 'metadata'))).not.toContain('plan');
  expect(withinLevel(span, 'prompts')).toEqual(span);
});

test('the events of a call are its messages, which are kept at `prompts`', () => {
  const names = (attributes: Attributes, level: 'metadata' | 'prompts') =>
    withinLevel(
      testSpan({
        attributes,
        events: ['gen_ai.user.message', 'exception'].map((name) => ({
          name,
          at: 1,
          attributes: {},
        })),
      }),
      level,
    ).events.map(({ name }) => name);
  expect(names(call, 'metadata')).toEqual(['exception']);
  expect(names(call, 'prompts')).toEqual(['gen_ai.user.message', 'exception']);
  expect(names(tool, 'prompts')).toEqual([]);
});

test('what a level removes without a rule can be named, and what rules read is not', () => {
  const attributes = { ...tool, 'acme.note': 'hello', full_command: 'ls', 'acme.retries': 2 };
  const events = ['gen_ai.dreamt', 'exception'].map((name) => ({ name, at: 1, attributes: {} }));
  const span = testSpan({ attributes, events, scope: CLIENT });
  const removed = (level: Parameters<typeof withinLevel>[1]) =>
    removedByLevel(span, withinLevel(span, level));
  for (const level of ['metadata', 'prompts'] as const)
    expect(removed(level)).toEqual({ attributes: { 'acme.note': 'hello' }, events });
  expect(removed('tools')).toEqual({ attributes: {}, events: [] });
});

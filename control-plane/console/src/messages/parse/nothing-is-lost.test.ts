import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStream } from './read-stream.ts';
import { printJson } from './print-json.ts';
import { readConversation } from './read-conversation.ts';

/** Names and values with a meaning in message formats. */
const words =
  `role content parts contents type text input_text output_text thinking reasoning summary
  tool_use tool_call tool_calls tool_result tool-call function function_call function_call_output
  function_response name arguments args input id call_id tool_call_id tool_use_id toolCallId toolName
  output result response message messages user assistant system tool developer model choices candidates
  lc constructor kwargs HumanMessage AIMessage human ai data image image_url url source functionCall
  functionResponse toolUse toolResult value json refusal author delta status error is_error item_call
  prompt completion instructions thought annotations reasoningContent message_content`.split(/\s+/);
const known = new Set([
  ...words,
  'langchain',
  'schema',
  'tool_call_response',
  'error-text',
  'summary_text',
]);

const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 7, depthSize: 'large', withCrossShrink: true },
    fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom(...words), fc.integer(), fc.boolean()),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 5 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 5 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
  ),
})).value;

/** All texts inside a value, except those that only name a kind. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') {
    const inner = parsed(value);
    if (inner !== undefined) return textsOf(inner);
    return value === '' || known.has(value) ? [] : [value];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** All texts and names of members in a value. */
const allTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...allTexts(inner)]);
};

function expectAllOf(value: unknown): void {
  const shown = allTexts(readConversation(value, 'user'));
  const whole = [shown, allTexts(shown.map(parsed))].flat().join('\n');
  expect(textsOf(value).filter((text) => !whole.includes(text))).toEqual([]);
}

test('no text is lost from any JSON', () => {
  fc.assert(
    fc.property(anyValue, (value) => expectAllOf(value)),
    { numRuns: 1000 },
  );
});

test('no text is lost from JSON inside text', () => {
  fc.assert(fc.property(anyValue, (value) => expectAllOf(JSON.stringify(value))));
});

const samples = new URL('../../../../../domain/providers/samples/', import.meta.url);
const recorded = readdirSync(samples).map(
  (name) => [name, readFileSync(new URL(name, samples), 'utf8')] as const,
);

test.each(recorded)('no text is lost from the recorded stream %s', (_, text) => {
  const stream = readStream(text);
  expectAllOf(stream?.joined ?? text);
  for (const { data } of stream?.events ?? []) expectAllOf(data);
});

test('values nested 10,000 deep neither throw nor lose text', () => {
  const list = `${'['.repeat(10_000)}"end"${']'.repeat(10_000)}`;
  const chat = `${'{"role":"user","content":['.repeat(10_000)}"end"${']}'.repeat(10_000)}`;
  const tool = `${'{"type":"tool_result","content":'.repeat(10_000)}"end"${'}'.repeat(10_000)}`;
  for (const text of [list, chat, tool, `{"input":${list}}`, `{"messages":${chat}}`]) {
    const read = readConversation(text, 'user');
    expect(printJson(read)).toContain('"end"');
  }
});

test('members named __proto__ and constructor are ordinary members', () => {
  const value = JSON.parse(
    '{"__proto__":{"role":"user","content":"a"},"constructor":"b"}',
  ) as object;
  expect(printJson(readConversation(value, null))).toContain('"constructor": "b"');
  expect(readConversation('{"role":"__proto__","content":"Hi"}', null).messages[0]).toMatchObject({
    role: null,
    label: '__proto__',
  });
});

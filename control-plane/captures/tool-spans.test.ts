import { expect, test } from 'vitest';
import { requestedTools, toolSpans } from './tool-spans.ts';

const spansOf = (tools: Parameters<typeof requestedTools>[0]) =>
  toolSpans(requestedTools(tools), 'call');

const tool = (text: string | null) => ({ name: 'find', arguments: text, id: null });

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', { value: [1] }],
  ['7', { value: 7 }],
  ['null', { value: null }],
  ['ls -l', { value: 'ls -l' }],
  ['', { value: '' }],
  [null, null],
])('the arguments %j become the input %j', (text, input) => {
  expect(spansOf([tool(text)])[0]?.input_data).toEqual(input);
});

test('spans keep the order of the tools, and have storable names', () => {
  const names = ['b', '', '\0', `${'x'.repeat(199)}😀`];
  const spans = spansOf(names.map((name) => ({ ...tool(null), name, id: 'call_1' })));
  expect(spans.map(({ name, position }) => [name, position])).toEqual([
    ['b', 0],
    ['tool', 1],
    ['tool', 2],
    [`${'x'.repeat(199)}\ufffd`, 3],
  ]);
  expect(spans[0]?.attributes).toEqual({ tool_call_id: 'call_1' });
  expect(spans[0]?.parent_span_id).toBe('call');
});

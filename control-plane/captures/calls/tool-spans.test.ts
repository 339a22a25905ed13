import { expect, test } from 'vitest';
import { toolSpans } from '../tool-spans.ts';

const tool = (given: string | null) => ({ name: 'find', arguments: given, id: null });

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', { value: [1] }],
  ['7', { value: 7 }],
  ['null', { value: null }],
  ['ls -l', { value: 'ls -l' }],
  ['', { value: '' }],
  [null, null],
])('the arguments %j are the input %j', (given, input) => {
  expect(toolSpans([tool(given)])[0]?.input_data).toEqual(input);
});

test('spans stand in the order of the tools, each with a name that can be stored', () => {
  const names = ['b', '', '\0', `${'x'.repeat(199)}😀`];
  const spans = toolSpans(names.map((name) => ({ ...tool(null), name, id: 'call_1' })));
  expect(spans.map(({ name, position }) => [name, position])).toEqual([
    ['b', 0],
    ['tool', 1],
    ['tool', 2],
    [`${'x'.repeat(199)}\ufffd`, 3],
  ]);
  expect(spans[0]?.attributes).toEqual({ tool_call_id: 'call_1' });
});

import { expect, test } from 'vitest';
import { parseFile } from './parse-file.ts';

const PACE = `# How fast agents may go.
name: Steady pace
category: rate-limit
rules:
  max_per_minute: 30
scope:
  agents: [support, 'mcp:files:*']
`;

const pace = {
  name: 'Steady pace',
  description: '',
  category: 'rate-limit',
  rules: { max_per_minute: 30, max_concurrent: 5, burst_window_seconds: 10 },
  scope: { agents: ['support', 'mcp:files:*'], workflows: [], user_groups: [] },
  priority: 100,
  severity: 'medium',
  mode: 'enforce',
  enabled: true,
};

const list = PACE.replace(/^/gm, '  ').replace('  name', '- name').trimEnd();

test.each<[string, string, [number, string][]]>([
  ['one', PACE, [[2, 'Steady pace']]],
  [
    'documents',
    `${PACE}---\n${PACE}`,
    [
      [2, 'Steady pace'],
      [10, 'Steady pace'],
    ],
  ],
  ['a list', list, [[2, 'Steady pace']]],
  [
    'JSON',
    JSON.stringify([pace, pace], null, '\t'),
    [
      [2, 'Steady pace'],
      [24, 'Steady pace'],
    ],
  ],
  ['an anchor', 'name: &n A\ndescription: *n\ncategory: operations\n', [[1, 'A']]],
])('policies of %s', (_what, text, expected) => {
  expect(parseFile('f', text).map(({ line, document }) => [line, document.name])).toEqual(expected);
});

test('omitted fields get their defaults', () => {
  expect(parseFile('f', PACE)).toEqual([{ file: 'f', line: 2, document: pace }]);
  expect(parseFile('f', JSON.stringify(pace))[0]?.document).toEqual(pace);
  const byOtherName = 'name: x\ncategory: cost\nrules: {}\n';
  expect(parseFile('f', byOtherName)[0]?.document.category).toBe('budget');
});

test.each<[string, string, RegExp]>([
  ['a bad rule', PACE.replace('30', "'30'"), /^f:5: rules\.max_per_minute: .*number/],
  [
    'an unknown rule',
    PACE.replace('max_per', 'per'),
    /^f:5: rules\.per_minute: unknown rule; rate-limit has max_per_minute/,
  ],
  ['an unknown field', `${PACE}colour: red\n`, /^f:8: .*"colour"/],
  ['a bad scope', PACE.replace('files:*', '*:read'), /^f:7: scope\.agents\.1: expected a name/],
  [
    'an unknown category',
    PACE.replace('rate-limit', 'rate'),
    /^f:3: category: unknown category "rate"/,
  ],
  ['no name', 'category: operations\n', /^f:1: name: /],
  [
    'two problems',
    'name: x\ncategory: operations\npriority: -1\nenabled: 1\n',
    /^f:3: priority: .*; f:4: enabled: /,
  ],
  ['the second of a list', `${list}\n- name: x\n`, /^f:8: category: /],
  ['text', 'hello', /^f:1: .*object/],
  ['nothing', '', /^f: contains no policy$/],
  ['an empty list', '[]', /^f: contains no policy$/],
  ['broken YAML', 'name: [a\ncategory: b\n', /^f:\d: /],
  ['a member twice', 'name: a\nname: b\n', /^f:2: Map keys must be unique/],
  ['an alias of nothing', 'name: *a\n', /^f: .*alias/],
  ['a tag', 'name: !!js/function x\n', /^f:1: Unresolved tag/],
])('%s is reported in one line', (_what, text, line) => {
  expect(() => parseFile('f', text)).toThrow(line);
  expect(() => parseFile('f', text)).toThrow(/^[^\n]+$/);
});

test('exponentially growing aliases are rejected', () => {
  const levels = Array.from(
    { length: 9 },
    (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`,
  );
  expect(() => parseFile('f', ['a0: &a0 x', ...levels].join('\n'))).toThrow(/^f: .*alias/i);
});

test('members that cannot be stored are rejected', () => {
  const text =
    'name: a\ncategory: budget\nrules: {model_limits: {__proto__: {daily_cost_limit: 1}}}';
  expect(() => parseFile('p.yaml', text)).toThrow(
    'p.yaml:1: policy.rules.model_limits.__proto__: a member cannot have this name',
  );
});

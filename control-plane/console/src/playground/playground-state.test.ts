import { expect, test } from 'vitest';
import {
  contentFor,
  emptyState,
  isEmpty,
  MAX_VARIANTS,
  openedState,
  variableNames,
  variableValues,
  copyVariant,
} from './playground-state.ts';

const origin = { kind: 'version', prompt_id: 'prm_1', name: 'n', version: 1 } as const;
const opened = (content: string) =>
  openedState({ content, config: {}, origin, outcome: null }, emptyState());

test('variants are copied up to the limit, each with a unique key and without an outcome', () => {
  let state = opened('Hi');
  for (let i = 0; i < 9; i += 1) state = copyVariant(state, 0);
  expect(state.variants).toHaveLength(MAX_VARIANTS);
  expect(new Set(state.variants.map(({ key }) => key)).size).toBe(MAX_VARIANTS);
});

test('the variables of all variants are listed, and empty values are not sent', () => {
  const state = opened('{{b}} {{a}}');
  const [variant] = state.variants;
  if (!variant) throw new Error('expected a variant');
  const both = {
    variables: { a: '1', b: '', c: '3' },
    variants: [variant, { ...variant, key: 1, content: '{{c}} {{constructor}} {{a}}' }],
  };
  const names = variableNames(both);
  expect(names).toEqual(['b', 'a', 'c', 'constructor']);
  expect(variableValues(names, both)).toEqual({ a: '1', c: '3' });
});

test('a state is empty only if nothing has been typed or run', () => {
  expect(isEmpty(emptyState())).toBe(true);
  expect(isEmpty(opened('Hi'))).toBe(false);
  expect(isEmpty({ ...emptyState(), variables: { a: '1' } })).toBe(false);
});

test.each([
  ['chat', 'Hi', { content: [{ role: 'user', content: 'Hi' }] }],
  ['text', 'Hi', { content: 'Hi' }],
  ['text', [{ role: 'user', content: 'Hi' }], { content: 'Hi' }],
] as const)('for a %s prompt, %j is converted to %j', (type, content, fitting) => {
  expect(contentFor(type, content as never)).toEqual(fitting);
});

test('several messages do not fit a text prompt', () => {
  const content = [{ role: 'system' as const, content: 'a' }];
  expect(contentFor('text', content)).toHaveProperty('error');
});

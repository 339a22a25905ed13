import { expect, test } from 'vitest';
import { draftOf, groupDraft, groupValue, valueOf } from './rule-draft.ts';
import { kindOf } from './rule-schema.ts';
import type { RuleSchema } from './rule-schema.ts';

const orNull = (schema: RuleSchema): RuleSchema => ({ anyOf: [schema, { type: 'null' }] });
const hours: RuleSchema = {
  type: 'object',
  properties: { start: { type: 'integer' }, end: { type: 'integer' } },
};

/** Every kind of rule, with a value that must survive the conversion to a draft and back. */
const kinds: [kind: string, schema: RuleSchema, value: unknown][] = [
  ['number', { type: 'integer', minimum: 1, maximum: 10 }, 7],
  ['number', orNull({ type: 'number' }), 0.5],
  ['text', { type: 'string' }, 'UTC'],
  ['switch', { type: 'boolean' }, true],
  ['choice', { type: 'string', enum: ['block', 'warn'] }, 'warn'],
  ['list', { type: 'array', items: { type: 'string' } }, ['gpt-4o', 'claude-*']],
  ['list', { type: 'array', items: { type: 'integer' } }, [0, 4]],
  ['several', { type: 'array', items: { enum: ['email', 'phone'] } }, ['phone']],
  ['group', orNull(hours), { start: 9, end: 17 }],
  ['groups', { type: 'array', items: hours }, [{ start: 1, end: 2 }, { start: 3 }]],
  ['named', { type: 'object', additionalProperties: hours }, { monday: { start: 8 } }],
  ['json', { anyOf: [{ type: 'string' }, { type: 'object' }] }, { any: ['thing'] }],
];

test.each(kinds)('%s', (kind, schema, value) => {
  expect(kindOf(schema).kind).toBe(kind);
  expect(valueOf(schema, draftOf(schema, value))).toEqual(value);
});

const fields: Record<string, RuleSchema> = {
  max: orNull({ type: 'integer' }),
  window: { type: 'integer', default: 10 },
  hours: orNull(hours),
};

test('empty fields are omitted; defaults are filled in', () => {
  const draft = groupDraft(fields, {});
  expect(draft).toEqual({ max: '', window: '10', hours: null });
  expect(groupValue(fields, draft)).toEqual({ window: 10 });
});

test('text that is not a number is sent unchanged, so that the service rejects it', () => {
  expect(groupValue(fields, { max: 'ten', window: ' 5 ', hours: null })).toEqual({
    max: 'ten',
    window: 5,
  });
});

test('lines are trimmed and empty lines dropped', () => {
  expect(valueOf({ type: 'array', items: { type: 'string' } }, ' a \n\n b\n')).toEqual(['a', 'b']);
});

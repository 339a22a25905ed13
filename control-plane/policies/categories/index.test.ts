import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { phases } from '#contract/policy-actions.ts';
import { NOON, rulesProblem } from '#test/support/category-simulation.ts';
import { NO_FACTS, situationOf } from '../situation.ts';
import { categories, categoryNames, categoryOf } from './index.ts';

const each = categories.map((category) => [category.name, category] as const);

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

describe('categories', () => {
  test('have unique names that are valid in the field `category`', () => {
    const names = categories.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
    expect(categoryNames).toEqual(categories.map(({ name }) => name));
  });

  test('are found by name and by alias', () => {
    expect(categoryOf('budget')).toBe(categoryOf('cost'));
    expect(each.every(([name, category]) => categoryOf(name) === category)).toBe(true);
    expect(categoryOf('constructor')).toBeUndefined();
  });

  test.each(each)('%s rejects unknown rules by name', (_, category) => {
    expect(rulesProblem(category, { no_such_rule: 1 })).toContain('"no_such_rule"');
  });

  test.each(each)('%s shows its rules as JSON Schema', (_, { rules }) => {
    expect(z.toJSONSchema(rules, { io: 'input' })).toMatchObject({
      type: 'object',
      additionalProperties: false,
    });
  });

  test.each(each)('%s is deterministic and does not modify its input', (_, category) => {
    const run = () =>
      category.phases.map((phase) => {
        const input = {
          rules: category.rules.parse({}),
          situation: situationOf({ phase, now: NOON, agent: 'a', workflow: 'w' }),
          facts: NO_FACTS,
          state: undefined,
          remembered: null,
          isGlobal: true,
        };
        return category.evaluate(frozen(input));
      });
    expect(run()).toEqual(run());
    expect(phases).toEqual(expect.arrayContaining([...category.phases]));
  });
});

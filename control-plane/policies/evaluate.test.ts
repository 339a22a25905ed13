import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Action, actions } from '#contract/policy-actions.ts';
import { evaluate, refuses, type States } from './evaluate.ts';
import { category } from './category.ts';
import { type Policy, policySet } from './policy-set.ts';
import { NO_FACTS, situationOf } from './situation.ts';

const situation = situationOf({ phase: 'before_workflow', now: 0, agent: 'a', workflow: 'w' });

/** A category whose result is given by its rules, and which counts how often it was admitted. */
const counting = category<{ answer: Action }, number>({
  name: 'counting',
  summary: '',
  rules: z.object({ answer: z.enum(actions) }),
  phases: ['before_workflow'],
  stateOf: () => 'all',
  evaluate: ({ rules, state = 0 }) => ({ action: rules.answer, reason: '', state: state + 1 }),
  ended: ({ state = 0 }) => state - 1,
});

const policy = (id: string, answer: Action, more: Partial<Policy> = {}): Policy => ({
  id,
  name: id,
  category: counting,
  rules: { answer },
  scope: {},
  priority: 100,
  ...more,
});

function memory(): States & { all: Map<string, unknown> } {
  const all = new Map<string, unknown>();
  return {
    all,
    get: ({ id }) => all.get(id),
    set: ({ id }, _situation, state) => void all.set(id, state),
  };
}

const run = (policies: readonly Policy[], states: States, phase = situation.phase) =>
  evaluate({
    situation: { ...situation, phase },
    policies,
    states,
    factsOf: () => NO_FACTS,
    rememberedOf: () => null,
  });

test('the strictest outcome wins, and the first among equals; either all states are stored or none', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...actions), { minLength: 1 }), (answers) => {
      const states = memory();
      const policies = answers.map((answer, index) => policy(`p${index}`, answer));
      const { verdict, outcomes } = run(policies, states);
      const strictest = actions.find((action) => answers.includes(action)) as Action;
      expect(outcomes.map(({ evaluation }) => evaluation.action)).toEqual(answers);
      expect(verdict?.policy.id).toBe(`p${answers.indexOf(strictest)}`);
      expect([...states.all.values()]).toEqual(refuses(strictest) ? [] : answers.map(() => 1));
    }),
  );
});

test('categories update their state at the end of a run even without an outcome', () => {
  const states = memory();
  const { verdict } = run([policy('a', 'allow')], states, 'on_failure');
  expect([verdict, [...states.all]]).toEqual([null, [['a', -1]]]);
});

test.each<[Action, boolean]>([
  ['block', true],
  ['throttle', true],
  ['skip', true],
  ['retry', true],
  ['redact', false],
  ['warn', false],
  ['allow', false],
])('the action %s refuses: %s', (action, expected) => {
  expect(refuses(action)).toBe(expected);
});

test.each([
  [{}, true],
  [{ agents: [] }, true],
  [{ agents: ['support'] }, true],
  [{ agents: ['sup*'] }, true],
  [{ agents: ['other', 'support'] }, true],
  [{ agents: ['other'] }, false],
  [{ agents: ['support-2*'] }, false],
  [{ workflows: ['triage'] }, true],
  [{ workflows: ['other'] }, false],
  [{ agents: ['support'], workflows: ['other'] }, false],
  [{ user_groups: ['staff'] }, true],
  [{ user_groups: ['guests'] }, false],
])('a policy with scope %j applies to: %s', (scope, expected) => {
  const set = policySet([policy('p', 'allow', { scope })]);
  const subject = { agent: 'support', workflow: 'triage', userGroup: 'staff' };
  expect(set.matching(subject)).toHaveLength(expected ? 1 : 0);
});

test('policies are evaluated by priority, whatever the names of their agents', () => {
  const set = policySet([
    policy('c', 'allow', { priority: 3, scope: { agents: ['a'] } }),
    policy('a', 'allow', { priority: 1, scope: { agents: ['a', 'a'] } }),
    policy('d', 'allow', { priority: 3 }),
    policy('b', 'allow', { priority: 2, scope: { agents: ['*'] } }),
  ]);
  expect(set.matching(situation).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  const guests = policySet([policy('g', 'allow', { scope: { user_groups: ['guests'] } })]);
  expect(guests.matching(situation)).toEqual([]);
  expect(guests.appliesTo(situation, 'before_workflow')).toBe(true);
  expect(guests.appliesTo(situation, 'mid_execution')).toBe(false);
});

test('a disabled policy is never evaluated, but still releases its slots', () => {
  const set = policySet([policy('off', 'allow', { enabled: false })]);
  expect(set.matching(situation)).toEqual([]);
  expect(set.appliesTo(situation, 'before_workflow')).toBe(false);
  expect(set.appliesTo(situation, 'on_failure')).toBe(true);
  expect(set.ending(situation)).toHaveLength(1);
});

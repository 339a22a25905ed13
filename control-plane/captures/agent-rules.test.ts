import { expect, test } from 'vitest';
import { agentOf, type AgentRule } from './agent-rules.ts';

const rule = (device_id: string | null, app: string | null, agent_name: string | null) => ({
  device_id,
  app,
  agent_name,
});

/** Rules from the most specific to the broadest. */
const rules: AgentRule[] = [
  rule('dev_1', 'codex-cli', 'own'),
  rule('dev_1', null, 'of the device'),
  rule(null, 'codex-cli', 'of the app'),
  rule(null, null, 'of all'),
];
const origin = { device_id: 'dev_1', app_id: 'codex-cli', process: 'node' };

test.each(rules.map((one, broader) => [one.agent_name, broader] as const))(
  'without the more specific rules the agent is %j',
  (agent, broader) => {
    const left = rules.slice(broader);
    expect(agentOf(left, origin)).toBe(agent);
    // The most specific rule applies, wherever it is in the list.
    expect(agentOf(left.toReversed(), origin)).toBe(agent);
  },
);

test.each([
  [origin, 'codex-cli'],
  [{ ...origin, app_id: null }, 'captured'],
  [{ ...origin, app_id: null, process: null }, 'captured'],
  [{ ...origin, app_id: '', process: '' }, 'captured'],
  [{ ...origin, app_id: null, process: 'billing-agent' }, 'captured'],
  [{ ...origin, app_id: 'billing-agent' }, 'captured'],
  // The same holds for a process that has the name of an app.
  [{ ...origin, app_id: null, process: 'codex-cli' }, 'captured'],
])('without a rule the agent of %j is %j', (one, agent) => {
  expect(agentOf([rule('dev_2', null, 'a'), rule(null, 'other', 'b')], one)).toBe(agent);
});

test('a rule applies to an app outside the catalog', () => {
  const one = { ...origin, app_id: 'our-tool' };
  expect(agentOf([rule(null, 'our-tool', 'a')], one)).toBe('a');
});

test('a rule for an app matches the process only if the app is unknown', () => {
  const left = [rule(null, 'node', 'a')];
  expect(agentOf(left, { ...origin, app_id: null })).toBe('a');
  expect(agentOf(left, origin)).toBe('codex-cli');
});

test('a specific rule takes precedence over a broad one, with or without runs', () => {
  const none = rule('dev_1', 'codex-cli', null);
  expect(agentOf([none, rule(null, null, 'a')], origin)).toBeNull();
  expect(agentOf([rule(null, null, null), rule(null, 'codex-cli', 'a')], origin)).toBe('a');
});

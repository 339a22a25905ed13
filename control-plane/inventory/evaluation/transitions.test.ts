import { expect, test } from 'vitest';
import { findingOf, type StoredRule } from './transitions.ts';

const rule = (action: StoredRule['action']): StoredRule => ({
  id: 'r',
  name: 'Rule',
  active: true,
  condition: { type: 'listed', kinds: [], apps: ['*'] },
  scope: { user_groups: [], devices: [] },
  action,
});

const findingOn = (action: StoredRule['action'], ...evidences: string[][]) =>
  findingOf(rule(action), {
    group: { id: 'g', kind: 'mcp_server', name: 'npm:x-mcp', catalog_id: null },
    device: { id: 'd', hostname: 'mac', user_group: null },
    apps: evidences.map((evidence) => ({
      version: null,
      risk_flags: [],
      path: '/x',
      evidence,
      user: null,
    })),
  });

const LISTED = 'npm:x-mcp is listed by the rule';
const NOT_BLOCKED = `${LISTED}; it is not blocked: devices cannot recognize a process of it`;
const local = ['stdio: npx x-mcp'];
const remote = ['http: https://x.example'];

test.each<[string, StoredRule['action'], string[][], string, string[]]>([
  ['of a local server is carried out', 'block', [local], LISTED, ['x-mcp']],
  ['of a remote server is not', 'block', [remote], NOT_BLOCKED, []],
  ['of a container is not', 'block', [['stdio: docker x/mcp']], NOT_BLOCKED, []],
  ['of both is carried out', 'block', [remote, local], LISTED, ['x-mcp']],
  ['is not promised by an incident', 'incident', [remote], LISTED, []],
])('a block %s, and the reason says so', (_, action, evidences, reason, processes) => {
  expect(findingOn(action, ...evidences)).toMatchObject({ reason, processes });
});

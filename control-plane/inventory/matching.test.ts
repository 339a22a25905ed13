import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inventoryCondition } from '#contract/inventory-rules.ts';
import {
  mayMatch,
  matchesWildcard,
  type GroupFacts,
  isInScope,
  processesOf,
  reasonFor,
} from './matching.ts';

const group = (more: Partial<GroupFacts> = {}): GroupFacts => ({
  kind: 'mcp_server',
  name: 'npm:@acme/files',
  catalog_id: null,
  ...more,
});
const app = (more: object = {}) => ({
  version: null,
  risk_flags: [],
  path: '/p',
  evidence: [],
  ...more,
});
const rule = (condition: object) => ({ condition: inventoryCondition.parse(condition) });

test.each([
  [{ type: 'listed', apps: ['@acme/*'] }, group(), true],
  [{ type: 'listed', apps: ['@acme'] }, group(), false],
  [{ type: 'listed', kinds: ['cli'], apps: ['*'] }, group(), false],
  [{ type: 'listed', apps: ['mcp-git'] }, group({ catalog_id: 'mcp-git', name: 'Git' }), true],
  [{ type: 'listed', apps: ['MCP-GIT'] }, group({ catalog_id: 'mcp-git', name: 'Git' }), false],
  [{ type: 'not_allowed', kinds: ['mcp_server'], allowed: [] }, group(), true],
  [{ type: 'not_allowed', kinds: ['mcp_server'], allowed: ['@ACME/FILES'] }, group(), false],
  [{ type: 'listed', apps: ['@acme/*'] }, group({ name: 'npm:@acme/files' }), true],
  [{ type: 'listed', apps: ['npm:@acme/*'] }, group({ name: 'npm:@acme/files' }), true],
  [{ type: 'listed', apps: ['pypi:a-mcp'] }, group({ name: 'npm:a-mcp' }), false],
  [{ type: 'listed', apps: ['@acme/*'] }, group({ name: 'http://evil.test @acme/files' }), false],
  [{ type: 'listed', apps: ['@acme/*'] }, group({ name: '@acme/x (node)' }), false],
  [{ type: 'listed', apps: ['npm:*'] }, group({ name: 'npm:@acme/x (sh)' }), false],
  [{ type: 'listed', apps: ['*'] }, group({ name: '@acme/x (sh)' }), true],
  [
    { type: 'not_allowed', kinds: ['mcp_server'], allowed: ['@acme/*'] },
    group({ name: 'script:/tmp/evil.js' }),
    true,
  ],
  [
    { type: 'not_allowed', kinds: ['mcp_server'], allowed: ['acme-*'] },
    group({ name: 'program:acme-files' }),
    true,
  ],
  [{ type: 'listed', apps: ['program:acme-*'] }, group({ name: 'program:acme-files' }), true],
  [{ type: 'not_allowed', kinds: ['cli'], allowed: [] }, group(), false],
  [{ type: 'risk_flags', flags: ['x'] }, group(), true],
  [{ type: 'risk_flags', flags: ['x'], apps: ['other'] }, group(), false],
  [{ type: 'version_below', apps: ['@acme/files'], version: '2' }, group(), true],
])('whether the condition %j may match the app %j: %s', (condition, which, expected) => {
  expect(mayMatch(rule(condition), which)).toBe(expected);
});

test.each([
  [
    { type: 'version_below', apps: ['*'], version: '1.10' },
    app({ version: '1.9' }),
    /1\.9 is older/,
  ],
  [{ type: 'version_below', apps: ['*'], version: '1.10' }, app({ version: '1.10.0' }), null],
  [{ type: 'version_below', apps: ['*'], version: '1.10' }, app({ version: 'latest' }), null],
  [{ type: 'version_below', apps: ['*'], version: '1.10' }, app(), null],
  [{ type: 'risk_flags', flags: ['a', 'b'] }, app({ risk_flags: ['c', 'b'] }), /has the risk b$/],
  [{ type: 'risk_flags', flags: ['a'] }, app({ risk_flags: ['ab'] }), null],
  [{ type: 'not_allowed', kinds: ['cli'], allowed: [] }, app(), /not on the list of allowed apps/],
])('the reason of the condition %j for the app %j: %s', (condition, which, expected) => {
  const reason = reasonFor(rule(condition), group(), which);
  expect(reason === null ? null : expected?.test(reason)).toBe(expected && true);
});

test.each([
  [{ user_groups: [], devices: [] }, true],
  [{ user_groups: ['finance'], devices: [] }, true],
  [{ user_groups: ['sales'], devices: [] }, false],
  [{ user_groups: ['sales'], devices: ['dev_1'] }, true],
  [{ user_groups: [], devices: ['dev_2'] }, false],
])('whether a device of the group finance is in the scope %j: %s', (scope, expected) => {
  expect(isInScope(scope, { id: 'dev_1', user_group: 'finance' })).toBe(expected);
});

test.each<[GroupFacts, object, string[]]>([
  [group({ catalog_id: 'mcp-git', name: 'Git' }), {}, ['mcp-git']],
  [group({ catalog_id: 'mcp-git' }), { evidence: ['stdio: uvx mcp-server-git'] }, ['mcp-git']],
  [group({ catalog_id: 'mcp-git' }), { evidence: ['stdio: docker mcp/git'] }, []],
  [group({ catalog_id: 'mcp-github' }), { evidence: ['http: https://api.githubcopilot.com'] }, []],
  [
    group({ catalog_id: 'mcp-sentry' }),
    { evidence: ['stdio: npx mcp-remote to https://mcp.sentry.dev'] },
    [],
  ],
  [group({ catalog_id: 'mcp-linear', name: 'Linear' }), {}, []],
  [group({ catalog_id: 'mcp-rust-filesystem', name: 'docker:mcp/rust-mcp-filesystem' }), {}, []],
  [group(), {}, ['@acme/files']],
  [group({ name: 'npm:@acme/files' }), {}, ['@acme/files']],
  [group({ name: 'pypi:Mcp_Thing' }), {}, ['mcp-thing']],
  [group({ name: 'docker:acme/files' }), { evidence: ['stdio: docker acme/files'] }, []],
  [group({ name: 'http://evil.test @acme/files' }), {}, ['@acme/files']],
  [group({ name: 'github:evil/x' }), {}, []],
  [group({ name: 'https://mcp.acme.example' }), {}, []],
  [group({ name: 'files (sh)' }), {}, []],
  [group({ kind: 'cli', name: 'own' }), {}, ['/p']],
  [group({ kind: 'cli', catalog_id: 'claude-code' }), {}, ['claude-code']],
  [group({ kind: 'cli', catalog_id: 'of-a-later-catalog' }), {}, ['/p']],
  [group({ kind: 'desktop_app', name: 'Own' }), {}, []],
])('the processes of %j with %j are %j', (which, more, expected) => {
  expect(processesOf(which, app(more))).toEqual(expected);
});

describe('wildcards', () => {
  test('match like an equivalent regular expression', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'B', '*', '.', '/'), maxLength: 6 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '/'), maxLength: 8 });
    fc.assert(
      fc.property(few, name, (pattern, text) => {
        const source = pattern.split('*').map((piece) => piece.replaceAll('.', '\\.'));
        const expected = new RegExp(`^${source.join('.*')}$`, 'is').test(text);
        expect(matchesWildcard(pattern, text)).toBe(expected);
      }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type SituationOverrides,
  rulesProblem,
} from '#test/support/category-simulation.ts';
import { mcpServerAllowlist } from './mcp-server-allowlist.ts';

const uses = (...mcpServers: string[]): SituationOverrides => ({ intent: { mcpServers } });
const used = (name: string, server: string | null = null): SituationOverrides => ({
  phase: 'mid_execution',
  run: {},
  tools: [{ name, server, input: null, output: null }],
});
const within = { action: 'allow', reason: 'MCP servers within policy' };
const blocked = (server: string) => ({
  action: 'block',
  reason: `MCP server '${server}' is blocked`,
  metadata: { rule: 'blocked_servers', server },
});
const notAllowed = (server: string) => ({
  action: 'block',
  reason: `MCP server '${server}' is not allowed`,
  metadata: { rule: 'allowed_servers', server },
});

describe('mcp-server-allowlist', () => {
  test.each<[unknown, SituationOverrides, unknown]>([
    [{ allowed_servers: ['github'] }, {}, null],
    [{ allowed_servers: ['github'] }, { intent: { tools: ['shell'] } }, null],
    [{}, uses('any'), within],
    [{ allowed_servers: ['github'] }, uses('github'), within],
    [{ allowed_servers: ['github'] }, uses('github', 'shell'), notAllowed('shell')],
    [{ allowed_servers: ['git*'] }, uses('github', 'gitlab'), within],
    [{ blocked_servers: ['git*'] }, uses('github'), blocked('github')],
    [{ allowed_servers: ['*'], blocked_servers: ['files'] }, uses('files'), blocked('files')],
    [
      { blocked_servers: ['x'], action_on_violation: 'warn' },
      uses('x'),
      { ...blocked('x'), action: 'warn' },
    ],

    [{ blocked_servers: ['github'] }, { agent: 'mcp:github:delete_repo' }, blocked('github')],
    [{ blocked_servers: ['github'] }, { workflow: 'mcp:github:delete_repo' }, blocked('github')],
    [{ blocked_servers: ['github'] }, { agent: 'mcp:github' }, blocked('github')],
    [{ blocked_servers: ['github'] }, { intent: { tools: ['mcp:github:a'] } }, blocked('github')],
    [{ allowed_servers: ['github'] }, { agent: 'mcp:files:read' }, notAllowed('files')],
    [{ blocked_servers: ['github'] }, { agent: 'not-mcp:github:x' }, null],

    [{ blocked_servers: ['github'] }, { phase: 'mid_execution', run: {} }, null],
    [{ blocked_servers: ['github'] }, used('shell'), null],
    [{ blocked_servers: ['github'] }, used('x', 'github'), blocked('github')],
    [{ blocked_servers: ['github'] }, used('mcp:github:x'), blocked('github')],
    [{ allowed_servers: ['github'] }, used('x', 'files'), notAllowed('files')],
    [{ allowed_servers: ['github'] }, used('x', 'github'), within],
  ])('the rules %j with %j', (rules, given, expected) => {
    expect(evaluate(mcpServerAllowlist, rules, given)).toEqual(expected);
  });

  test.each<[unknown, string]>([
    [{ allowed_servers: ['a*b'] }, 'allowed_servers[0]: '],
    [{ blocked_servers: [''] }, 'blocked_servers[0]: '],
    [{ blocked_servers: null }, 'blocked_servers: '],
    [{ action_on_violation: 'allow' }, 'action_on_violation: '],
    [{ allowed_tools: [] }, '"allowed_tools"'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(mcpServerAllowlist, rules)).toContain(message);
  });
});

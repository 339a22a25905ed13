import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type SituationOverrides,
  rulesProblem,
} from '#test/support/category-simulation.ts';
import { toolAllowlist } from './tool-allowlist.ts';

const uses = (...tools: string[]): SituationOverrides => ({ intent: { tools } });
const used = (name: string, server: string | null = null): SituationOverrides => ({
  phase: 'mid_execution',
  run: {},
  tools: [{ name, server, input: null, output: null }],
});
const within = { action: 'allow', reason: 'Tools within policy' };
const blocked = (tool: string) => ({
  action: 'block',
  reason: `Tool '${tool}' is blocked`,
  metadata: { rule: 'blocked_tools', tool },
});
const notAllowed = (tool: string) => ({
  action: 'block',
  reason: `Tool '${tool}' is not allowed`,
  metadata: { rule: 'allowed_tools', tool },
});
const MCP = 'mcp:github:delete_repo';

describe('tool-allowlist', () => {
  test.each<[unknown, SituationOverrides, unknown]>([
    [{ allowed_tools: ['search'] }, {}, null],
    [{ allowed_tools: ['search'] }, { intent: { mcpServers: ['github'] } }, null],
    [{}, uses('anything'), within],
    [{ allowed_tools: ['search'] }, uses('search'), within],
    [{ allowed_tools: ['search'] }, uses('search', 'shell'), notAllowed('shell')],
    [{ allowed_tools: ['search'] }, uses('Search'), notAllowed('Search')],
    [{ allowed_tools: ['search'] }, uses('search_all'), notAllowed('search_all')],
    [{ allowed_tools: ['search*'] }, uses('search', 'search_all'), within],
    [{ allowed_tools: ['*'] }, uses('anything'), within],
    [{ blocked_tools: ['shell'] }, uses('search', 'shell'), blocked('shell')],
    [{ blocked_tools: ['delete_*'] }, uses('delete_all'), blocked('delete_all')],
    [{ blocked_tools: ['*'] }, uses('x'), blocked('x')],
    [{ allowed_tools: ['*'], blocked_tools: ['shell'] }, uses('shell'), blocked('shell')],
    [{ allowed_tools: ['a'], blocked_tools: ['c'] }, uses('b', 'c'), blocked('c')],
    [
      { blocked_tools: ['x'], action_on_violation: 'warn' },
      uses('x'),
      { ...blocked('x'), action: 'warn' },
    ],
    [
      { allowed_tools: ['y'], action_on_violation: 'warn' },
      uses('x'),
      { ...notAllowed('x'), action: 'warn' },
    ],

    [{ blocked_tools: ['delete_*'] }, { agent: MCP }, blocked(MCP)],
    [{ blocked_tools: ['delete_*'] }, { workflow: MCP }, blocked(MCP)],
    [{ blocked_tools: ['delete_*'] }, uses(MCP), blocked(MCP)],
    [{ blocked_tools: ['mcp:github:*'] }, { agent: MCP }, blocked(MCP)],
    [{ blocked_tools: ['mcp:gitlab:*'] }, { agent: MCP }, within],
    [{ allowed_tools: ['mcp:github:*'] }, { agent: MCP }, within],
    [{ allowed_tools: ['mcp:*'] }, uses('shell'), notAllowed('shell')],
    [{ allowed_tools: ['delete_repo'] }, { agent: MCP }, within],
    [{ blocked_tools: ['x'] }, { agent: 'mcp:github:a:x' }, within],
    [{ blocked_tools: ['a:x'] }, { agent: 'mcp:github:a:x' }, blocked('mcp:github:a:x')],
    [{ blocked_tools: ['*'] }, { agent: 'mcp:github' }, null],
    [{ blocked_tools: ['*'] }, { agent: 'mcp:' }, null],

    [{ allowed_tools: ['search'] }, { phase: 'mid_execution', run: {} }, null],
    [{ allowed_tools: ['search'] }, { ...used('search'), agent: MCP }, within],
    [{ allowed_tools: ['search'] }, used('shell'), notAllowed('shell')],
    [
      { blocked_tools: ['shell'], action_on_violation: 'warn' },
      used('shell'),
      { ...blocked('shell'), action: 'warn' },
    ],
    [{ blocked_tools: ['delete_repo'] }, used('delete_repo', 'github'), blocked(MCP)],
    [{ blocked_tools: ['mcp:github:*'] }, used('delete_repo', 'github'), blocked(MCP)],
    [{ blocked_tools: ['mcp:github:*'] }, used(MCP), blocked(MCP)],
    [{ blocked_tools: ['mcp:github:*'] }, used(MCP, 'github'), blocked(MCP)],
    [{ blocked_tools: ['mcp:github:*'] }, used('delete_repo', 'gitlab'), within],
  ])('the rules %j with %j', (rules, given, expected) => {
    expect(evaluate(toolAllowlist, rules, given)).toEqual(expected);
  });

  test.each<[unknown, string]>([
    [{ allowed_tools: 'search' }, 'allowed_tools: '],
    [{ allowed_tools: [''] }, 'allowed_tools[0]: '],
    [{ allowed_tools: ['a*b'] }, 'allowed_tools[0]: expected a name, with * at its end only'],
    [{ blocked_tools: ['ok', '*a'] }, 'blocked_tools[1]: expected a name, with * at its end only'],
    [{ blocked_tools: ['a**'] }, 'blocked_tools[0]: '],
    [{ blocked_tools: [7] }, 'blocked_tools[0]: '],
    [{ action_on_violation: 'throttle' }, 'action_on_violation: '],
    [{ tools: [] }, '"tools"'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(toolAllowlist, rules)).toContain(message);
  });
});

import type { CompiledPolicy } from '#contract/tool-checks.ts';
import type { ToolName } from './tool-name.ts';

export interface NameLists {
  /** An empty list means no restriction. */
  allowed: readonly string[];
  /** Takes precedence over `allowed`. */
  blocked: readonly string[];
}

export interface Refused {
  name: string;
  verdict: 'blocked' | 'not allowed';
}

/** The first blocked item, else the first that is not allowed. An item may have several names. */
export function findRefused(
  items: readonly (readonly [name: string, ...others: string[]])[],
  { allowed, blocked }: NameLists,
): Refused | undefined {
  const isBlocked = items.find((names) => isListed(names, blocked));
  if (isBlocked) return { name: isBlocked[0], verdict: 'blocked' };
  if (allowed.length === 0) return undefined;
  const isUnknown = items.find((names) => !isListed(names, allowed));
  return isUnknown && { name: isUnknown[0], verdict: 'not allowed' };
}

const isListed = (names: readonly string[], list: readonly string[]): boolean =>
  list.some((pattern) => names.some((name) => matches(pattern, name)));

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

type RulesOf<D extends CompiledPolicy['decides']> = Extract<
  CompiledPolicy,
  { decides: D; rules: unknown }
>['rules'];
export type ToolRules = RulesOf<'tools'>;
export type ServerRules = RulesOf<'mcp-servers'>;

export interface AllowlistResult {
  action: 'block' | 'warn' | 'allow';
  reason: string;
  metadata?: { rule: string; tool: string } | { rule: string; server: string };
}

/**
 * Checks whether these tools are allowed. An MCP tool matches by its own name and by its full name.
 */
export function checkTools(rules: ToolRules, tools: readonly ToolName[]): AllowlistResult | null {
  const names = tools.flatMap(namesOf);
  if (names.length === 0) return null;
  const { allowed_tools: allowed, blocked_tools: blocked, action_on_violation: action } = rules;
  const refused = findRefused(names, { allowed, blocked });
  if (!refused) return { action: 'allow', reason: 'Tools within policy' };
  const { name: tool, verdict } = refused;
  const rule = verdict === 'blocked' ? 'blocked_tools' : 'allowed_tools';
  return { action, reason: `Tool '${tool}' is ${verdict}`, metadata: { rule, tool } };
}

/** Checks whether the MCP servers of these tools are allowed. */
export function checkServers(
  rules: ServerRules,
  tools: readonly ToolName[],
): AllowlistResult | null {
  const names = tools.flatMap(({ server }): [string][] => (server === null ? [] : [[server]]));
  if (names.length === 0) return null;
  const { allowed_servers: allowed, blocked_servers: blocked, action_on_violation: action } = rules;
  const refused = findRefused(names, { allowed, blocked });
  if (!refused) return { action: 'allow', reason: 'MCP servers within policy' };
  const { name: server, verdict } = refused;
  const rule = verdict === 'blocked' ? 'blocked_servers' : 'allowed_servers';
  return { action, reason: `MCP server '${server}' is ${verdict}`, metadata: { rule, server } };
}

function namesOf({ tool, server }: ToolName): [string, ...string[]][] {
  if (tool === null) return [];
  return server === null ? [[tool]] : [[`mcp:${server}:${tool}`, tool]];
}

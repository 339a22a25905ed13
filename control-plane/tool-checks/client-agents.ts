import { type ToolClient, toolClients } from '#contract/tool-checks.ts';
import { findAgentRules } from '../captures/agent-queries.ts';
import { type AgentRule, mostSpecific } from '../captures/agent-rules.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';

interface KnownClient {
  /** The name of the client in the rules of captures. */
  app: string;
  /** The agent of the client's runs, as named by its telemetry. */
  agent: string;
}

const knownClients: Readonly<Record<ToolClient, KnownClient>> = {
  'claude-code': { app: 'claude-code', agent: 'claude-code' },
  codex: { app: 'codex-cli', agent: 'codex' },
  'gemini-cli': { app: 'gemini-cli', agent: 'gemini-cli' },
  cursor: { app: 'cursor', agent: 'cursor' },
  copilot: { app: 'copilot-cli', agent: 'github-copilot' },
  'qwen-code': { app: 'qwen-code', agent: 'qwen-code' },
  opencode: { app: 'opencode', agent: 'opencode' },
  goose: { app: 'goose', agent: 'goose' },
  'mcp-gateway': { app: 'mcp-gateway', agent: 'mcp-gateway' },
};

/**
 * Returns the agent that policies see for each client on a device: the one to which the rules of
 * captures map it, or else the one of its telemetry. A rule that says to record no runs does not
 * exempt tools from policies.
 */
export async function agentsOfClients(
  db: Db,
  device: DeviceCaller,
): Promise<Record<ToolClient, string>> {
  const apps = toolClients.map((client) => knownClients[client].app);
  const rules = await findAgentRules(db, device, apps);
  return Object.fromEntries(
    toolClients.map((client) => [client, agentOfClient(rules, device.deviceId, client)]),
  ) as Record<ToolClient, string>;
}

function agentOfClient(rules: readonly AgentRule[], device_id: string, client: ToolClient): string {
  const { app, agent } = knownClients[client];
  return mostSpecific(rules, { device_id, app_id: app, process: null })?.agent_name ?? agent;
}

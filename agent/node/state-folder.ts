import { existsSync } from 'node:fs';
import type { AgentConfig } from '#agent/config.ts';
import { platform } from './platform.ts';
import { serviceStateFolder, TOOL_SOCKET_NAME } from './service-folders.ts';

/**
 * Everything that the agent keeps in its state folder. Code that adds an entry names it here:
 * `uninstall --purge` removes these and nothing else.
 */
export const stateEntries = {
  record: 'device.json',
  lock: 'agent.lock',
  hardwareId: 'hardware-id',
  identityKey: 'identity.key.pem',
  identity: 'identity.pem',
  intermediateKey: 'intermediate.key.pem',
  intermediate: 'intermediate.pem',
  roots: 'root.pem',
  sentToday: 'sent-today.json',
  codingAgents: 'coding-agents.json',
  toolHooks: 'tool-hooks.json',
  toolPolicies: 'tool-policies.json',
  toolCalls: 'tool-calls',
  toolSocket: TOOL_SOCKET_NAME,
  openFlows: 'open-flows.json',
  flowSpool: 'spool',
  captureSpool: 'captures',
  statusSocket: 'status.sock',
  captureSocket: 'capture.sock',
  electron: 'electron',
} as const;

export type StateEntry = (typeof stateEntries)[keyof typeof stateEntries];

export const isDefaultFolder = ({ stateDir, bundleId }: AgentConfig): boolean =>
  stateDir === platform.stateDir(bundleId);

/**
 * The folder that a command of this user is about. On Linux the agent usually is a service of root:
 * a user without an agent of their own means the folder of the service.
 */
export function findStateFolder(config: AgentConfig): string {
  const serviceFolder = serviceStateFolder(config.bundleId);
  const hasOwn = !isDefaultFolder(config) || existsSync(config.stateDir);
  return !hasOwn && existsSync(serviceFolder) ? serviceFolder : config.stateDir;
}

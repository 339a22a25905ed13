import { existsSync } from 'node:fs';
import type { AgentConfig } from '#agent/config.ts';
import { platform } from '../platform.ts';
import { TOOL_SOCKET_NAME } from '#domain/coding-agents/tool-socket.ts';
import { serviceStateFolder } from './service-folders.ts';

/**
 * All entries that the agent stores in its state folder. Code that adds an entry must name it here:
 * `uninstall --purge` removes only these.
 */
export const stateEntries = {
  record: 'device.json',
  lock: 'agent.lock',
  hardwareId: 'hardware-id',
  /** The sealed key with which the private keys are wrapped. */
  sealedKey: 'sealed-key.json',
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
  cursorTokens: 'cursor-tokens.json',
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
 * Returns the state folder for a command of this user. On Linux the agent usually is a service of
 * root, so the folder of the service is meant if the user has no agent of their own.
 */
export function findStateFolder(config: AgentConfig): string {
  const serviceFolder = serviceStateFolder(config.bundleId);
  const hasOwn = !isDefaultFolder(config) || existsSync(config.stateDir);
  return !hasOwn && existsSync(serviceFolder) ? serviceFolder : config.stateDir;
}

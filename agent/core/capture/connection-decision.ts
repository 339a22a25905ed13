import type { DeviceConfig } from '#contract/device-protocol.ts';
import { findCatalogHost, isRefusedHost, normalizeHost } from '#domain/hosts/host-catalog.ts';
import { type ClientProcess, isNamed } from './process-names.ts';

export type { ClientProcess } from './process-names.ts';

/** The treatment of a connection whose ClientHello names a host. */
export type Decision =
  /** Relayed without decryption. */
  | { action: 'pass' }
  /** TLS is terminated on both sides, and the content is captured. */
  | { action: 'decrypt'; host: string }
  | { action: 'block'; reason: string };

const pass: Decision = { action: 'pass' };

/**
 * Whatever the configuration says, only catalog hosts are terminated, and never banking, health or
 * mail hosts. An unknown process matches none of the configured processes.
 */
export function decideConnection(
  config: DeviceConfig,
  serverName: string | null,
  client: ClientProcess,
): Decision {
  if (serverName === null) return pass;
  const host = normalizeHost(serverName);
  if (config.blocked_hosts.map(normalizeHost).includes(host))
    return { action: 'block', reason: `${host} is blocked` };

  const entry = findCatalogHost(host);
  if (!entry || isRefusedHost(host)) return pass;
  if (isNamed(config.blocked_processes, client))
    return { action: 'block', reason: `${client.process} may not reach AI hosts` };

  const isOn = config.capture_enabled && config.intercept_hosts.map(normalizeHost).includes(host);
  const { intercept_processes: processes } = config;
  return isOn && (processes.length === 0 || isNamed(processes, client))
    ? { action: 'decrypt', host }
    : pass;
}

/**
 * The decision for a connection without a server name, by the diverted hosts that have its address:
 * it is blocked if each of them is, and otherwise relayed.
 */
export function decideUnnamed(
  config: DeviceConfig,
  hosts: readonly string[],
  client: ClientProcess,
): Decision {
  const decisions = hosts.map((host) => decideConnection(config, host, client));
  const isBlocked = decisions.every(({ action }) => action === 'block');
  return isBlocked ? (decisions[0] ?? pass) : pass;
}

/** Whether the decision depends on the process, which takes time to find. */
export const dependsOnProcess = (config: DeviceConfig): boolean =>
  config.intercept_processes.length + config.blocked_processes.length > 0;

/**
 * The hosts whose connections are diverted to the agent, to be captured or blocked. `catalog` lists
 * all exact hosts of the catalog.
 */
export function hostsToDivert(config: DeviceConfig, catalog: readonly string[]): string[] {
  const captured = config.capture_enabled ? config.intercept_hosts : [];
  const named = config.blocked_processes.length > 0 ? catalog : [];
  return [...new Set([...captured, ...config.blocked_hosts, ...named].map(normalizeHost))].sort();
}

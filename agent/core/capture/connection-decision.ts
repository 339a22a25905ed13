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
  if (isBlockedHost(config, host)) return { action: 'block', reason: `${host} is blocked` };
  if (!isAiHost(host)) return pass;
  if (isNamed(config.blocked_processes, client))
    return { action: 'block', reason: `${client.process} may not reach AI hosts` };

  const { intercept_processes: processes } = config;
  return isOn(config, host) && (processes.length === 0 || isNamed(processes, client))
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

/**
 * Whether the decision for a host depends on the process, which takes time to find: only for an AI
 * host that is not blocked, if some processes are blocked, or if only some are captured there.
 */
export function dependsOnProcess(config: DeviceConfig, serverName: string): boolean {
  const host = normalizeHost(serverName);
  if (isBlockedHost(config, host) || !isAiHost(host)) return false;
  const { blocked_processes: blocked, intercept_processes: captured } = config;
  return blocked.length > 0 || (captured.length > 0 && isOn(config, host));
}

/** Like `dependsOnProcess`, for a connection without a server name. */
export function unnamedDependsOnProcess(config: DeviceConfig, names: readonly string[]): boolean {
  if (config.blocked_processes.length === 0) return false;
  const hosts = names.map(normalizeHost).filter((host) => !isBlockedHost(config, host));
  return hosts.length > 0 && hosts.every(isAiHost);
}

const isBlockedHost = (config: DeviceConfig, host: string): boolean =>
  config.blocked_hosts.map(normalizeHost).includes(host);

const isAiHost = (host: string): boolean =>
  findCatalogHost(host) !== undefined && !isRefusedHost(host);

const isOn = (config: DeviceConfig, host: string): boolean =>
  config.capture_enabled && config.intercept_hosts.map(normalizeHost).includes(host);

/**
 * The hosts whose connections are diverted to the agent, to be captured or blocked. `catalog` lists
 * all exact hosts of the catalog.
 */
export function hostsToDivert(config: DeviceConfig, catalog: readonly string[]): string[] {
  const captured = config.capture_enabled ? config.intercept_hosts : [];
  const named = config.blocked_processes.length > 0 ? catalog : [];
  return [...new Set([...captured, ...config.blocked_hosts, ...named].map(normalizeHost))].sort();
}

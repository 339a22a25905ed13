import type { ManagedConfig } from '#contract/deployment.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { checkInterceptHosts } from '#domain/hosts/host-catalog.ts';

/**
 * The effective configuration of a device: the server's, restricted by the managed configuration on
 * the device. Editing the plist can therefore switch capture off, but never on.
 *
 * - If the managed configuration names hosts, only those of them that the server has as well are
 *   captured, and `capture_enabled: false` switches capture off.
 * - If it names no hosts, neither setting restricts anything. The usual profile is such a one, and
 *   Guard must work without pushing it again.
 * - An empty list of processes means every process, on both sides. Two lists without a common process
 *   therefore switch capture off, because an empty list would widen it.
 * - Problems in the managed configuration switch capture off, because its restrictions are unknown.
 * - Hosts outside the catalog, and banking, health and mail hosts, are dropped here again.
 *
 * Blocking of hosts and tool calls comes from the server alone and is not restricted. The recording
 * of coding agents stops if this device switches capture off, but does not need a captured host.
 */
export function narrowConfig(
  server: DeviceConfig,
  managed: ManagedConfig,
  problems: readonly string[] = [],
): DeviceConfig {
  const hosts = narrowList(
    checkInterceptHosts(server.intercept_hosts).hosts,
    checkInterceptHosts(managed.intercept_hosts).hosts,
    managed.intercept_hosts.length > 0,
  );
  const processes = narrowProcesses(server.intercept_processes, managed.intercept_processes);
  const isOffHere =
    problems.length > 0 || (!managed.capture_enabled && managed.intercept_hosts.length > 0);
  if (isOffHere) return withoutCapture(server);
  if (!server.capture_enabled || hosts.length === 0 || processes === null)
    return { ...withoutCapture(server), coding_agents: server.coding_agents };

  return { ...server, intercept_hosts: hosts, intercept_processes: processes };
}

/** The same configuration without capture. Blocking stays in force. */
export const withoutCapture = (config: DeviceConfig): DeviceConfig => ({
  ...config,
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
  coding_agents: 'off',
});

const MAX_NAMED_HOSTS = 5;

/**
 * Describes the hosts that the server wants captured and this device refuses, one line per reason.
 * The lines show administrators that the server requested a forbidden host or has a newer catalog.
 */
export function describeDroppedHosts({ intercept_hosts }: DeviceConfig): string[] {
  const { refused, unknown } = checkInterceptHosts(intercept_hosts);
  return [
    ...lineOf('the server named banking, health or mail hosts, which are never captured', refused),
    ...lineOf('the catalog of this agent does not have', unknown),
  ];
}

function lineOf(reason: string, hosts: readonly string[]): string[] {
  if (hosts.length === 0) return [];
  const more = hosts.length > MAX_NAMED_HOSTS ? ` and ${hosts.length - MAX_NAMED_HOSTS} more` : '';
  const named = hosts.slice(0, MAX_NAMED_HOSTS).map((host) => JSON.stringify(host.slice(0, 60)));
  return [`${reason}: ${named.join(', ')}${more}`];
}

function narrowList(allowed: string[], wanted: string[], narrows: boolean): string[] {
  return narrows ? allowed.filter((name) => wanted.includes(name)) : allowed;
}

/**
 * Returns the processes that both lists allow, where an empty list allows all; null if they have no
 * process in common.
 */
function narrowProcesses(allowed: string[], wanted: string[]): string[] | null {
  if (allowed.length === 0) return wanted;
  const both = narrowList(allowed, wanted, wanted.length > 0);
  return both.length > 0 ? both : null;
}

import { networkInterfaces } from 'node:os';
import type { AgentReport } from '#agent/core/doctor/agent-report.ts';
import { type ExtensionState, otherExtensions } from '#agent/core/doctor/extensions.ts';
import {
  addressOf,
  type NamedProxy,
  type EnvironmentFacts,
} from '#agent/core/doctor/environment.ts';
import { findCatalogHost } from '#domain/hosts/host-catalog.ts';
import type { Environment, ShellEnvironment } from './config.ts';
import type { DoctorSystem } from './system/index.ts';

export interface EnvironmentInputs {
  system: DoctorSystem;
  shell: ShellEnvironment;
  proxies: readonly NamedProxy[];
  report: AgentReport | null;
  captures: boolean | null;
  proxyPort: number | null;
  extensions: readonly ExtensionState[];
  ownExtensions: readonly string[];
}

export function readEnvironment(inputs: EnvironmentInputs): EnvironmentFacts {
  const { system, shell, report, proxyPort, extensions, ownExtensions, ...rest } = inputs;
  const interfaces = Object.keys(networkInterfaces());
  return {
    ...rest,
    report,
    ownProxy: proxyPort === null ? null : `127.0.0.1:${proxyPort}`,
    redirections: redirectionsIn(shell.redirections),
    tunnels: interfaces.filter((name) => system.tunnelName.test(name)),
    bridges: interfaces.filter((name) => system.bridgeName?.test(name)),
    otherExtensions: otherExtensions(extensions, ownExtensions),
    missingRights:
      report &&
      system.missingRights(report.pid, ['CAP_NET_ADMIN', 'CAP_NET_RAW', 'CAP_SYS_PTRACE']),
    canListSockets: system.canListSockets(),
  };
}

/**
 * Reads the proxies without duplicates: `HTTPS_PROXY` and `https_proxy` usually have the same
 * value.
 */
export async function readProxies(
  system: DoctorSystem,
  { proxies }: ShellEnvironment,
): Promise<NamedProxy[]> {
  const ofShell = Object.entries(proxies).map(([where, value]) => ({
    where,
    address: addressOf(value ?? '').replace('localhost', '127.0.0.1'),
  }));
  const seenAddresses = new Set<string>();
  return [...ofShell, ...(await system.proxies())].filter(
    ({ address }) => !seenAddresses.has(address) && seenAddresses.add(address),
  );
}

function redirectionsIn(environment: Environment): EnvironmentFacts['redirections'] {
  return Object.entries(environment)
    .map(([variable, value]) => ({ variable, host: addressOf(value ?? '') }))
    .filter(({ host }) => !findCatalogHost(host));
}

import { userInfo } from 'node:os';
import type { AgentOptions } from '../agent-runtime.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { hasIdentity } from '../identity/enrollment-loop.ts';
import { captureHosts } from '../identity/issued-certificates.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';
import { createSystemTrust, type SystemTrust } from './system-trust.ts';

/**
 * Returns the system's trust store if this process may change it: only as root on Linux. On macOS
 * the profile installs the roots.
 */
export const systemTrustOf = ({ systemTrust }: Pick<AgentOptions, 'systemTrust'>) =>
  systemTrust && process.platform === 'linux' && userInfo().uid === 0 ? createSystemTrust() : null;

export interface SystemTrustSyncOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  problems: Problems;
}

export interface SystemTrustSync extends Loop {
  /**
   * Returns whether the system trusts the roots that this device's certificates need now, or could
   * not be made to. Before, programs would reject these certificates.
   */
  isSettled: () => boolean;
}

/** Makes the system trust the tenant's roots while any host is captured on this device. */
export function startSystemTrustSync({
  options,
  device,
  link,
  problems,
}: SystemTrustSyncOptions): SystemTrustSync {
  const trust: SystemTrust | null = options.trust ?? systemTrustOf(options);
  const { credentials } = device;
  const requiredRoots = (): readonly string[] => {
    const config = link.configuration.effective();
    const captures = config !== null && captureHosts(config).length > 0;
    return captures && hasIdentity(credentials) ? credentials.roots() : [];
  };
  const keyOf = (roots: readonly string[]): string => roots.join('\n');
  let settled: string | null = null;
  const intervalMs = options.heartbeatSeconds * 1000;
  // Until a configuration is applied, roots of an earlier process are kept.
  const loop = startLoop(async () => {
    if (!trust) return null;
    const roots = requiredRoots();
    try {
      await trust.set(roots);
      problems.set('system trust');
    } catch (error) {
      problems.set('system trust', [(error as Error).message]);
    }
    settled = keyOf(roots);
    // A revoked device gets no configuration.
    return intervalMs;
  }, intervalMs);
  link.applied.subscribe(loop.runNow);
  return { ...loop, isSettled: () => !trust || settled === keyOf(requiredRoots()) };
}

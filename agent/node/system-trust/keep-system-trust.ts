import { userInfo } from 'node:os';
import type { AgentOptions } from '../agent-runtime.ts';
import type { ControlPlaneLink } from '../control-plane-link.ts';
import type { Device } from '../device.ts';
import { hasIdentity } from '../enrolling.ts';
import { captureHosts } from '../issued-certificates.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { Problems } from '../problems.ts';
import { createSystemTrust, type SystemTrust } from './system-trust.ts';

/** Only an administrator of a Linux system may change what it trusts; macOS has the profile. */
export const systemTrustOf = ({ systemTrust }: Pick<AgentOptions, 'systemTrust'>) =>
  systemTrust && process.platform === 'linux' && userInfo().uid === 0 ? createSystemTrust() : null;

export interface KeepingOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  problems: Problems;
}

/** The system trusts the tenant's roots while capture is on for some host of this device. */
export function keepSystemTrust({ options, device, link, problems }: KeepingOptions): Loop {
  const trust: SystemTrust | null = options.trust ?? systemTrustOf(options);
  const { credentials } = device;
  const wanted = (): readonly string[] => {
    const config = link.configuration.inForce();
    const captures = config !== null && captureHosts(config).length > 0;
    return captures && hasIdentity(credentials) ? credentials.roots() : [];
  };
  const everyMs = options.heartbeatSeconds * 1000;
  // Nothing is in force yet: what an earlier process installed does not go away for that.
  const loop = startLoop(async () => {
    if (!trust) return null;
    try {
      await trust.set(wanted());
      problems.set('system trust');
    } catch (error) {
      problems.set('system trust', [(error as Error).message]);
    }
    // A device that was revoked gets no configuration.
    return everyMs;
  }, everyMs);
  link.applied.subscribe(loop.runNow);
  return loop;
}

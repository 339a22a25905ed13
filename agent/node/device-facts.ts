import { hostname, userInfo } from 'node:os';
import type { EnrollBody } from '#contract/device.ts';
import agent from '../../package.json' with { type: 'json' };
import { findHardwareId } from './hardware-id.ts';
import { platform } from './platform/index.ts';

export type DeviceFacts = Omit<EnrollBody, 'identity_csr' | 'ca_csr'>;

export const agentVersion: string = agent.version;

/** What the device says about itself when it enrolls. */
export async function readDeviceFacts(
  stateDir: string,
  hardwareId: string | null,
): Promise<DeviceFacts> {
  return {
    hardware_id: await findHardwareId(stateDir, hardwareId),
    hostname: hostname().slice(0, 253) || 'unknown',
    os: platform.os,
    os_version: (await platform.readOsVersion()).slice(0, 100),
    agent_version: agentVersion,
    user: userName().slice(0, 256),
    user_group: null,
  };
}

// A process may run under a user id that has no entry in the user database.
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

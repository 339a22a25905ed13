import { hostname, userInfo } from 'node:os';
import type { EnrollBody } from '#contract/device-protocol.ts';
import agent from '../../../package.json' with { type: 'json' };
import { platform, type Platform } from '../platform.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readIfExists, writeFileAtomic } from '../state/atomic-file.ts';
import { stateEntries } from '../state/state-folder.ts';

/**
 * Returns the id with which this machine enrolls: the given one, else the system's, else a random
 * one that is stored in the state folder.
 */
export async function findHardwareId(
  stateDir: string,
  configured: string | null,
  system: Pick<Platform, 'readHardwareId'> = platform,
): Promise<string> {
  const id = configured ?? (await system.readHardwareId());
  if (id !== null) return id;
  const path = join(stateDir, stateEntries.hardwareId);
  const stored = readIfExists(path)?.trim();
  if (stored && /^[\w-]{8,128}$/.test(stored)) return stored;
  const generated = randomUUID();
  writeFileAtomic(path, generated);
  return generated;
}

export type DeviceFacts = Omit<EnrollBody, 'identity_csr' | 'ca_csr'>;

export const agentVersion: string = agent.version;

/** Reads the facts that the device sends when it enrolls. */
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

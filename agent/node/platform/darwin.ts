import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Platform } from './platform.ts';

const run = promisify(execFile);

export const darwin: Platform = {
  os: 'macos',

  stateDir: (bundleId) => join(homedir(), 'Library/Application Support', bundleId),

  readOsVersion: async () => (await output('/usr/bin/sw_vers', ['-productVersion'])) ?? 'unknown',

  async readHardwareId() {
    const text = await output('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
    return parsePlatformUuid(text ?? '');
  },

  readProcessStart: (pid) => output('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]),
};

/** The IOPlatformUUID in the output of ioreg. */
export function parsePlatformUuid(text: string): string | null {
  return /"IOPlatformUUID" = "([0-9A-Fa-f-]{36})"/.exec(text)?.[1] ?? null;
}

async function output(command: string, args: string[]): Promise<string | null> {
  try {
    return (await run(command, args, { timeout: 10_000 })).stdout.trim() || null;
  } catch {
    return null;
  }
}

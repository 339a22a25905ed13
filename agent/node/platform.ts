import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir, release } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { macStateFolder } from '#domain/coding-agents/tool-socket.ts';

/** The differences between the systems that the agent runs on. */
export interface Platform {
  os: string;
  /** Returns the default state folder of the agent. */
  stateDir(bundleId: string): string;
  readOsVersion(): Promise<string>;
  /** Returns an id of this machine that survives reinstalling the agent; null if there is none. */
  readHardwareId(): Promise<string | null>;
  /** Returns the start time of a process as an opaque text; null if the process does not run. */
  readProcessStart(pid: number): Promise<string | null>;
  /**
   * Returns the path of the program that activates the network extensions in the app of this process;
   * null if that has no extensions. The program can be missing.
   */
  extensionsProgram(): string | null;
}

export const linux: Platform = {
  os: 'linux',

  stateDir: (bundleId) =>
    process.getuid?.() === 0
      ? join('/var/lib', bundleId)
      : join(homedir(), '.local/state', bundleId),

  async readOsVersion() {
    const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1];
    return name ? `${name} (${release()})` : release();
  },

  // machine-id(5) says that the id must not leave the machine; a hash of it may.
  async readHardwareId() {
    const id = (await readFile('/etc/machine-id', 'utf8').catch(() => '')).trim();
    return /^[0-9a-f]{32}$/.test(id) ? createHash('sha256').update(id).digest('hex') : null;
  },

  async readProcessStart(pid) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may contain any characters, including spaces and parentheses, so the
    // fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended: it holds no files and writes nothing.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  },

  extensionsProgram: () => null,
};

const run = promisify(execFile);

export const darwin: Platform = {
  os: 'macos',

  stateDir: (bundleId) => join(homedir(), macStateFolder(bundleId)),

  readOsVersion: async () => (await output('/usr/bin/sw_vers', ['-productVersion'])) ?? 'unknown',

  async readHardwareId() {
    const text = await output('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
    return parsePlatformUuid(text ?? '');
  },

  readProcessStart: (pid) => output('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]),

  // …/Contents/MacOS/<program>
  extensionsProgram() {
    const folder = dirname(process.execPath);
    const hasExtensions = existsSync(join(folder, '../Library/SystemExtensions'));
    return hasExtensions ? join(folder, 'gatehouse-extensions') : null;
  },
};

/** Returns the IOPlatformUUID in the output of ioreg. */
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

export const platform: Platform = process.platform === 'darwin' ? darwin : linux;

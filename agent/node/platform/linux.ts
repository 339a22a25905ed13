import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir, release } from 'node:os';
import { join } from 'node:path';
import type { Platform } from './platform.ts';

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

  // machine-id(5) asks that the id itself does not leave the machine; a hash of it may.
  async readHardwareId() {
    const id = (await readFile('/etc/machine-id', 'utf8').catch(() => '')).trim();
    return /^[0-9a-f]{32}$/.test(id) ? createHash('sha256').update(id).digest('hex') : null;
  },

  async readProcessStart(pid) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may hold anything, spaces and parentheses too: count after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended: it holds no file and writes nothing any more.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  },
};

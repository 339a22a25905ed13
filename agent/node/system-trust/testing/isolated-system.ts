import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface IsolatedSystem {
  /** Runs a shell script in which `/etc` and the folder of local authorities are copies. */
  sh: (script: string, env?: Record<string, string>) => Promise<string>;
  remove: () => void;
}

/**
 * Creates a mount namespace for each script, so that changes in `/etc` are not visible elsewhere.
 */
export function createIsolatedSystem(): IsolatedSystem {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-system-'));
  const prepare = `set -e
cp -a /etc '${folder}/'
mount --bind '${folder}/etc' /etc
mount -t tmpfs tmpfs /usr/local/share/ca-certificates
mount -t tmpfs tmpfs /etc/profile.d
rm -f /etc/ca-certificates/update.d/*
exec sh -e -c "$1"`;
  const sh: IsolatedSystem['sh'] = (script, env = {}) => {
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', prepare, 'sh', script];
    const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
    return new Promise((resolve, reject) => {
      execFile('unshare', args, { env: { PATH, ...env } }, (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${err}`)) : resolve(out),
      );
    });
  };
  return { sh, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, removeIfThere, replaceSharedFile } from '../atomic-file.ts';
import { findSystemStore, type SystemStore } from './trust-store.ts';

export interface SystemTrust {
  /** The system trusts these roots, as PEM, and no others that were installed by us. */
  set: (roots: readonly string[]) => Promise<void>;
}

export interface SystemTrustOptions {
  /** What the system's paths are below. */
  root?: string;
  run?: (program: string, args: readonly string[], input?: string) => Promise<void>;
}

const ours = /^gatehouse-[0-9a-f]{16}\.crt$/;

/** Node uses its own list by default. A value that a user has set stays. */
export const shellProfile = `# Written by the Gatehouse agent while it captures, and removed by it.
if [ -z "\${NODE_USE_SYSTEM_CA+set}" ]; then
    export NODE_USE_SYSTEM_CA=1
fi
`;

/**
 * Installs roots in the trust store of a Linux system, and a shell profile that makes Node programs
 * use it. Files that are not ours are left as they are.
 *
 * `set` throws an Error of one line if that fails; it may then be called again.
 */
export function createSystemTrust({ root = '/', run = runProgram }: SystemTrustOptions = {}) {
  let current: string | null = null;
  const javaHook = join(root, 'etc/ca-certificates/update.d/jks-keystore');
  const profile = join(root, 'etc/profile.d/gatehouse.sh');

  const set = async (roots: readonly string[]): Promise<void> => {
    const wanted = new Map(roots.map((pem) => [nameOf(pem), pem]));
    const key = JSON.stringify([...wanted.keys()].toSorted());
    if (current === key) return;
    const store = findSystemStore(root);
    // A correct file may come from an earlier process that ended before it updated the system's store.
    const isFirst = current === null && wanted.size > 0;
    const removed = store ? putFiles(store, wanted) : null;
    // Before programs of the system run, which may fail: what is ours goes whether they do or not.
    putProfile(profile, store !== null && wanted.size > 0);
    if (store && (removed || isFirst)) {
      const hasGone = removed !== null && removed.length > 0;
      await run(store.update, hasGone ? store.removed : store.added);
      if (hasGone && existsSync(javaHook)) await run(javaHook, [], linesOf(removed));
    }
    if (!store && wanted.size > 0) throw new Error(unknownStore);
    current = key;
  };
  return { set } satisfies SystemTrust;
}

const unknownStore =
  "this system's store of authorities is of a kind that is not known: its programs do not trust this device's certificates";

const nameOf = (pem: string): string => {
  const fingerprint = new X509Certificate(pem).fingerprint256.replaceAll(':', '');
  return `gatehouse-${fingerprint.slice(0, 16).toLowerCase()}.crt`;
};

/** update-ca-certificates adds new certificates to Java's store, but does not remove old ones. */
const linesOf = (removed: readonly string[]): string =>
  removed.map((name) => `-/etc/ssl/certs/${name.replace(/\.crt$/, '.pem')}\n`).join('');

/** Answers the names of those that are gone now; null where nothing has changed. */
function putFiles(
  { folder }: SystemStore,
  wanted: ReadonlyMap<string, string>,
): readonly string[] | null {
  const there = readdirSync(folder).filter((name) => ours.test(name));
  const surplus = there.filter((name) => !wanted.has(name));
  const missing = [...wanted].filter(
    ([name, pem]) => !there.includes(name) || readIfThere(join(folder, name)) !== pem,
  );
  for (const name of surplus) removeIfThere(join(folder, name));
  for (const [name, pem] of missing) replaceSharedFile(join(folder, name), pem);
  return surplus.length + missing.length > 0 ? surplus : null;
}

/** A file that a user has changed or created stays. */
function putProfile(path: string, isWanted: boolean): void {
  if (!existsSync(join(path, '..'))) return;
  const there = readIfThere(path);
  if (isWanted && there === null) replaceSharedFile(path, shellProfile);
  if (!isWanted && there === shellProfile) removeIfThere(path);
}

const LONGEST_UPDATE_MS = 60_000;

const runProgram = (program: string, args: readonly string[], input = ''): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
    const options = { env, timeout: LONGEST_UPDATE_MS };
    const child = execFile(program, [...args], options, (error) => {
      if (error) reject(new Error(`${program} failed: ${error.code ?? error.signal ?? 'killed'}`));
      else resolve();
    });
    // One that does not read is no failure.
    child.stdin?.on('error', () => undefined).end(input);
  });

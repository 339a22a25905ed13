import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readIfExists, removeIfExists, writeSharedFileAtomic } from '../state/atomic-file.ts';
import { readDpkgEnvironment } from './config.ts';

export interface SystemTrust {
  /** Makes the system trust exactly these roots (PEM) besides its own. */
  set: (roots: readonly string[]) => Promise<void>;
}

export interface SystemTrustOptions {
  /** The root of the system's paths. */
  root?: string;
  run?: (program: string, args: readonly string[], input?: string) => Promise<void>;
}

const ownFile = /^gatehouse-[0-9a-f]{16}\.crt$/;
/**
 * A removed root keeps its file under this name, which the system ignores, until the system's store is
 * updated: an agent that was interrupted before finds it and updates the store.
 */
const removedFile = /^gatehouse-[0-9a-f]{16}\.crt\.removed$/;

/**
 * Makes Node use the system's roots instead of its own list. A value that a user has set is kept.
 */
export const SHELL_PROFILE = `# Written by the Gatehouse agent while it captures, and removed by it.
if [ -z "\${NODE_USE_SYSTEM_CA+set}" ]; then
    export NODE_USE_SYSTEM_CA=1
fi
`;

/**
 * Installs roots in the trust store of a Linux system, and a shell profile that makes Node programs
 * use it. Files that are not ours are left as they are, and those that others have removed are
 * written again.
 *
 * `set` throws an Error of one line if that fails; it may then be called again.
 */
export function createSystemTrust({ root = '/', run = runProgram }: SystemTrustOptions = {}) {
  // Correct files may be from an earlier process that ended before it updated the system's store.
  let isStoreCurrent = false;
  const javaHook = join(root, 'etc/ca-certificates/update.d/jks-keystore');
  const profile = join(root, 'etc/profile.d/gatehouse.sh');

  const set = async (roots: readonly string[]): Promise<void> => {
    const requiredFiles = new Map(roots.map((pem) => [nameOf(pem), pem]));
    const store = findSystemStore(root);
    const removed = store ? syncFiles(store, requiredFiles) : null;
    if (removed) isStoreCurrent = false;
    // Done before running system programs, which may fail: the agent's files must be removed
    // anyway.
    syncProfile(profile, store !== null && requiredFiles.size > 0);
    if (store && (removed || (requiredFiles.size > 0 && !isStoreCurrent))) {
      await run(store.update, store.arguments);
      isStoreCurrent = true;
      for (const name of removed ?? []) removeIfExists(join(store.folder, `${name}.removed`));
      if (removed?.length && existsSync(javaHook)) await run(javaHook, [], linesOf(removed));
    }
    if (!store && requiredFiles.size > 0) throw new Error(UNKNOWN_STORE);
  };
  return { set } satisfies SystemTrust;
}

const UNKNOWN_STORE =
  "the trust store of this system is of an unknown type: its programs do not trust this device's certificates";

const nameOf = (pem: string): string => {
  const fingerprint = new X509Certificate(pem).fingerprint256.replaceAll(':', '');
  return `gatehouse-${fingerprint.slice(0, 16).toLowerCase()}.crt`;
};

/** update-ca-certificates adds new certificates to Java's store, but does not remove old ones. */
const linesOf = (removed: readonly string[]): string =>
  removed.map((name) => `-/etc/ssl/certs/${name.replace(/\.crt$/, '.pem')}\n`).join('');

/**
 * Returns the names of the removed files that are still in the system's store; null if the store is
 * complete.
 */
function syncFiles(
  { folder, links }: SystemStore,
  requiredFiles: ReadonlyMap<string, string>,
): readonly string[] | null {
  const existing = readdirSync(folder).filter((name) => ownFile.test(name));
  const surplus = existing.filter((name) => !requiredFiles.has(name));
  const missing = [...requiredFiles].filter(
    ([name, pem]) => !existing.includes(name) || readIfExists(join(folder, name)) !== pem,
  );
  for (const name of surplus) {
    if (links) removeLinks(links, join(folder, name));
    renameSync(join(folder, name), join(folder, `${name}.removed`));
  }
  for (const [name, pem] of missing) writeSharedFileAtomic(join(folder, name), pem);
  for (const name of requiredFiles.keys()) removeIfExists(join(folder, `${name}.removed`));
  const removed = readdirSync(folder)
    .filter((name) => removedFile.test(name))
    .map((name) => basename(name, '.removed'));
  return removed.length + missing.length > 0 ? removed : null;
}

/**
 * Removes the links to a certificate, and the links to these by the hash of its name.
 * update-ca-certificates keeps them, unless it is started with `--fresh`: then it removes the links to
 * all certificates, and for some seconds programs that use the folder trust none.
 */
function removeLinks(folder: string, file: string): void {
  const targets = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => ({ name, target: readlinkSync(join(folder, name)) }));
  const direct = targets.filter(({ target }) => basename(target) === basename(file));
  const names = new Set(direct.map(({ name }) => name));
  const byHash = targets.filter(({ target }) => names.has(basename(target)));
  for (const { name } of [...byHash, ...direct]) removeIfExists(join(folder, name));
}

/** Writes or removes the shell profile. A file that a user has changed or created is kept. */
function syncProfile(path: string, isRequired: boolean): void {
  if (!existsSync(join(path, '..'))) return;
  const existing = readIfExists(path);
  if (isRequired && existing === null) writeSharedFileAtomic(path, SHELL_PROFILE);
  if (!isRequired && existing === SHELL_PROFILE) removeIfExists(path);
}

const UPDATE_TIMEOUT_MS = 60_000;
/** A service manager may signal all processes of the agent, and an update must not remain half done. */
const IGNORE_SIGNALS = `trap '' TERM INT HUP; exec "$0" "$@"`;

const runProgram = (program: string, args: readonly string[], input = ''): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { ...readDpkgEnvironment(), PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
    const options = { env, timeout: UPDATE_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
    const command = ['-c', IGNORE_SIGNALS, program, ...args];
    const child = execFile('/bin/sh', command, options, (error) => {
      if (error) reject(new Error(`${program} failed: ${error.code ?? error.signal ?? 'killed'}`));
      else resolve();
    });
    // A program that does not read its input has not failed because of that.
    child.stdin?.on('error', () => undefined).end(input);
  });

/**
 * The folder from which a system reads additional authorities, and the command that applies them.
 */
interface SystemStore {
  folder: string;
  /** The folder of links to all authorities, which are not removed with their files. */
  links?: string;
  /** The path of a program. */
  update: string;
  arguments: readonly string[];
}

const stores: readonly SystemStore[] = [
  // Debian, Ubuntu, Alpine: update-ca-certificates(8) reads files that end in .crt.
  {
    folder: 'usr/local/share/ca-certificates',
    links: 'etc/ssl/certs',
    update: 'usr/sbin/update-ca-certificates',
    arguments: [],
  },
  // Fedora, RHEL: update-ca-trust(8).
  {
    folder: 'etc/pki/ca-trust/source/anchors',
    update: 'usr/bin/update-ca-trust',
    arguments: ['extract'],
  },
];

/** Returns the trust store of the system below `root`; null if it is of an unknown kind. */
function findSystemStore(root: string): SystemStore | null {
  const found = stores.find(({ folder, update }) =>
    [folder, update].every((path) => existsSync(join(root, path))),
  );
  if (!found) return null;
  const links = found.links === undefined ? undefined : join(root, found.links);
  return {
    folder: join(root, found.folder),
    ...(links !== undefined && existsSync(links) && { links }),
    update: join(root, found.update),
    arguments: found.arguments,
  };
}

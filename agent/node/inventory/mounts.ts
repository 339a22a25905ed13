import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { tryOrUndefined } from '../try-or-undefined.ts';

export interface Mount {
  path: string;
  /** The system's name of the file system: `ext4`, `nfs4`, `autofs`. */
  type: string;
}

/** File systems that depend on a server's response. FUSE may serve data from anywhere. */
const ofNetwork =
  /^(nfs\d?|cifs|smb\d?|smbfs|afpfs|afs|webdav|ncpfs|ceph|lustre|beegfs|gpfs|9p|fuse(\..+)?|macfuse|osxfuse)$/;

/** Whether access would make the system mount something. */
export const isNotMounted = (mount: Mount | undefined): boolean => mount?.type === 'autofs';
export const isNetworkMount = (mount: Mount | undefined): boolean =>
  mount !== undefined && ofNetwork.test(mount.type);

export const mayBeUnresponsive = (mount: Mount): boolean =>
  isNotMounted(mount) || isNetworkMount(mount);

/** Blanks and backslashes are written as three octal digits. */
const unescape = (text: string) =>
  text.replaceAll(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));

/**
 * Parses proc_pid_mountinfo(5): six fields, optional ones, `-`, the type. Later mounts hide earlier
 * ones.
 */
export function readMountInfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [fields = '', kind = ''] = line.split(' - ', 2);
    const path = fields.split(' ')[4];
    const type = kind.split(' ', 1)[0];
    return path && type ? [{ path: unescape(path), type }] : [];
  });
}

/**
 * Parses the output of mount(8) on macOS, with lines like
 * `//ada@server/share on /Volumes/share (smbfs, nodev, nosuid)`.
 */
export function readMountOutput(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, path, type] = / on (\/.*) \(([^,)]+)[^()]*\)$/.exec(line) ?? [];
    return path && type ? [{ path, type }] : [];
  });
}

/** All mounts of this machine, without accessing any of them. */
export async function listMounts(): Promise<Mount[]> {
  if (process.platform !== 'darwin')
    return readMountInfo(tryOrUndefined(() => readFileSync('/proc/self/mountinfo', 'utf8')) ?? '');
  const run = promisify(execFile);
  const printed = await run('/sbin/mount', [], { timeout: 10_000 }).catch(() => ({ stdout: '' }));
  return readMountOutput(printed.stdout);
}

/** The mount of a path: the last of those with the longest matching path. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts) {
    const isAbove = mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`);
    if (isAbove && mount.path.length >= (found?.path.length ?? 0)) found = mount;
  }
  return found;
}

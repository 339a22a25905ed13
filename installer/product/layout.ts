import type { Bundle } from '../bundle/read-bundle.ts';
import type { TreeNode } from '../bundle/read-tree.ts';
import type { DirectoryEntry, FileEntry, PackageEntry } from '../package-entry.ts';
import { environmentAgent, environmentLabel } from './environment.ts';
import { LAUNCH_AGENTS, launchAgent } from './scripts.ts';

export const ROOT = 0;
const WHEEL = 0;
const ADMIN = 80;

/** The latest modification time in the bundle in seconds, which is used for added entries. */
export const latestChange = ({ nodes }: Bundle): number =>
  nodes.reduce((latest, { mtime }) => Math.max(latest, mtime), 0);

export const installedApp = ({ name }: Bundle): string => `Applications/${name}`;

/**
 * Lists all installed entries, each folder before its content: the app, its background item, and
 * the launch agent that sets the environment. Folders that exist on every Mac have their standard
 * modes and owners, because Installer applies those of the package.
 */
export function listInstalledEntries(bundle: Bundle, bundleId: string): PackageEntry[] {
  const app = `./${installedApp(bundle)}`;
  const mtime = latestChange(bundle);
  const program = `${app.slice(1)}/Contents/MacOS/${bundle.info.CFBundleExecutable}`;
  const agent = Buffer.from(launchAgent(bundleId, program));
  const environment = Buffer.from(environmentAgent(bundleId));
  return [
    folder('.', mtime),
    { ...folder('./Applications', mtime), mode: 0o775, gid: ADMIN },
    ...bundle.nodes.map((node) => appEntry(app, node)),
    folder('./Library', mtime),
    folder(`./${LAUNCH_AGENTS}`, mtime),
    file(`./${LAUNCH_AGENTS}/${environmentLabel(bundleId)}.plist`, 0o644, mtime, environment),
    file(`./${LAUNCH_AGENTS}/${bundleId}.plist`, 0o644, mtime, agent),
  ];
}

const folder = (path: string, mtime: number): DirectoryEntry => ({
  type: 'directory',
  path,
  mode: 0o755,
  uid: ROOT,
  gid: WHEEL,
  mtime,
});

const file = (path: string, mode: number, mtime: number, content: Buffer): FileEntry => ({
  ...folder(path, mtime),
  type: 'file',
  mode,
  size: content.length,
  content,
});

/**
 * An entry of the app. Only root may modify the app, because otherwise a user could run code in
 * every user's session.
 */
function appEntry(app: string, node: TreeNode): PackageEntry {
  const facts = folder(node.path === '' ? app : `${app}/${node.path}`, node.mtime);
  if (node.type === 'directory') return facts;
  if (node.type === 'link') return { ...facts, type: 'link', target: node.target };
  const { size, executable, onDisk, fingerprint } = node;
  const mode = executable ? 0o755 : 0o644;
  return { ...facts, type: 'file', mode, size, content: { path: onDisk, fingerprint } };
}

/** The scripts of a package, as stored in its Scripts archive. `mtime` is in seconds. */
export function scriptEntries(
  scripts: Readonly<Record<string, string>>,
  mtime: number,
): PackageEntry[] {
  const names = Object.keys(scripts).sort();
  return [
    folder('.', mtime),
    ...names.map((name) => file(`./${name}`, 0o755, mtime, Buffer.from(scripts[name] as string))),
  ];
}

import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { InstallerError } from '../installer-error.ts';
import { type MachO, MACH_HEAD_BYTES, readMachO } from '../mach-o.ts';
import { readStart, unreadableError } from '../payload/read-content.ts';
import { type BundleInfo, parseInfoPlist } from './info-plist.ts';
import { readTree, type TreeNode } from './read-tree.ts';

/** The maximum number of links per path that the kernel of macOS follows (MAXSYMLINKS). */
const MAX_HOPS = 32;

/**
 * Checks that no link points outside the tree. Links within a path are resolved as the system would,
 * because two individually harmless links may lead out of the tree together. Missing targets are
 * allowed.
 *
 * @throws InstallerError for a link that points outside the tree
 */
export function checkLinks(nodes: readonly TreeNode[], folder: string): void {
  const links = new Map<string, string>();
  for (const node of nodes) if (node.type === 'link') links.set(node.path, node.target);
  for (const [path, target] of links) {
    const problem = follow(path, target, links);
    if (problem !== null) throw new InstallerError(`${folder}/${path}: ${problem} (${target})`);
  }
}

function follow(path: string, target: string, links: ReadonlyMap<string, string>): string | null {
  const at = path.split('/').slice(0, -1);
  const ahead = partsOf(target);
  if (target.startsWith('/')) return 'the symbolic link has an absolute target';
  for (let hops = 1; ahead.length > 0;) {
    const part = ahead.shift() as string;
    if (part === '..') {
      if (at.pop() === undefined) return 'the symbolic link points outside the bundle';
      continue;
    }
    at.push(part);
    const next = links.get(at.join('/'));
    if (next === undefined) continue;
    if (next.startsWith('/')) return 'the symbolic link has an absolute target';
    if ((hops += 1) > MAX_HOPS) return 'the symbolic link is part of a loop';
    at.pop();
    ahead.unshift(...partsOf(next));
  }
  return null;
}

const partsOf = (target: string): string[] =>
  target.split('/').filter((part) => part !== '' && part !== '.');

export interface Bundle {
  /** `X.app` */
  name: string;
  info: BundleInfo;
  nodes: readonly TreeNode[];
  /** The architectures of its program; null if it is not a Mach-O file. */
  program: MachO | null;
}

/**
 * Reads an app bundle without the content of its files.
 *
 * @throws InstallerError, naming the path and the problem, if the bundle is invalid or contains
 * something that a package cannot contain
 */
export async function readBundle(app: string): Promise<Bundle> {
  const name = basename(resolve(app));
  if (!/^\P{Cc}+\.app$/u.test(name))
    throw new InstallerError(`${app}: expected a folder named X.app`);
  const folder = await realpath(app).catch((error: unknown) => {
    throw unreadableError(app, error);
  });
  const nodes = await readTree(folder);
  const byPath = new Map(nodes.map((node) => [node.path, node]));
  if (byPath.get('')?.type !== 'directory')
    throw new InstallerError(`${app}: not an app bundle: it is not a folder`);
  const info = await readInfo(folder, byPath);
  checkLinks(nodes, folder);
  return { name, info, nodes, program: await readProgram(folder, info, byPath) };
}

/** Rejects an output file inside the folder to be packed. */
export async function requireOutside(out: string, app: string): Promise<void> {
  const [target, folder] = await Promise.all(
    [dirname(resolve(out)), app].map((path) => realpath(path).catch(() => null)),
  );
  if (target && folder && `${target}${sep}`.startsWith(`${folder}${sep}`))
    throw new InstallerError(`${out}: must not be inside ${app}`);
}

/** A limit in bytes, because the file is read into memory. Real files have a few kilobytes. */
const MAX_INFO_BYTES = 4_194_304;

type NodesByPath = ReadonlyMap<string, TreeNode>;

async function readInfo(folder: string, byPath: NodesByPath): Promise<BundleInfo> {
  const path = 'Contents/Info.plist';
  const node = byPath.get(path);
  if (node?.type !== 'file')
    throw new InstallerError(`${folder}: not an app bundle: it has no ${path}`);
  if (node.size > MAX_INFO_BYTES)
    throw new InstallerError(
      `${node.onDisk}: has ${node.size} bytes, more than the limit of ${MAX_INFO_BYTES}`,
    );
  return parseInfoPlist(await readStart(node.onDisk, MAX_INFO_BYTES), node.onDisk);
}

async function readProgram(
  folder: string,
  { CFBundleExecutable }: BundleInfo,
  byPath: NodesByPath,
): Promise<MachO | null> {
  const path = `Contents/MacOS/${CFBundleExecutable}`;
  const node = byPath.get(path);
  if (node?.type !== 'file')
    throw new InstallerError(`${folder}: CFBundleExecutable: ${path} does not exist`);
  if (!node.executable) throw new InstallerError(`${folder}/${path}: is not executable`);
  return readMachO(await readStart(node.onDisk, MACH_HEAD_BYTES), node.size);
}

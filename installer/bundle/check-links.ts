import { InstallerError } from '../installer-error.ts';
import type { TreeNode } from './read-tree.ts';

/** The kernel of macOS follows this many per path (MAXSYMLINKS). */
const MOST_HOPS = 32;

/**
 * Throws InstallerError for a link that leads out of the tree. Links on the way are resolved as the
 * system would: two individually harmless links may combine to lead out. Missing targets are
 * allowed.
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
  if (target.startsWith('/')) return 'a link to an absolute path';
  for (let hops = 1; ahead.length > 0;) {
    const part = ahead.shift() as string;
    if (part === '..') {
      if (at.pop() === undefined) return 'a link that leads out of the bundle';
      continue;
    }
    at.push(part);
    const next = links.get(at.join('/'));
    if (next === undefined) continue;
    if (next.startsWith('/')) return 'a link to an absolute path';
    if ((hops += 1) > MOST_HOPS) return 'a link that leads to itself';
    at.pop();
    ahead.unshift(...partsOf(next));
  }
  return null;
}

const partsOf = (target: string): string[] =>
  target.split('/').filter((part) => part !== '' && part !== '.');

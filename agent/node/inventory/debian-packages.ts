import type { Tree } from './tree.ts';

/** The package database of a large installation has some megabytes. */
const STATUS_LIMIT = 64 * 1024 * 1024;
const LIST_LIMIT = 16 * 1024 * 1024;

const field = (stanza: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1]?.trim();

/**
 * Removes the epoch of a version, as in `1:2.0-1` (deb-version(7)): no vendor names it, and rules
 * compare versions with those of vendors and of other package managers.
 */
const withoutEpoch = (version: string): string => version.replace(/^\d+:/, '');

/** Versions of the installed Debian packages by name, without epochs; empty on other systems. */
export async function readDebianPackages(tree: Tree): Promise<ReadonlyMap<string, string>> {
  const content = await tree.read('/var/lib/dpkg/status', STATUS_LIMIT);
  if (!content || 'error' in content) return new Map();
  const stanzas = content.bytes.toString('utf8').split(/\n{2,}/);
  return new Map(
    stanzas.flatMap((stanza) => {
      const name = field(stanza, 'Package');
      const installed = field(stanza, 'Status')?.endsWith(' installed');
      return name && installed ? [[name, withoutEpoch(field(stanza, 'Version') ?? '')]] : [];
    }),
  );
}

/** Whether the installed package contains the file. */
export async function isOfPackage(tree: Tree, name: string, path: string): Promise<boolean> {
  const content = await tree.read(`/var/lib/dpkg/info/${name}.list`, LIST_LIMIT);
  if (!content || 'error' in content) return false;
  return content.bytes.toString('utf8').split('\n').includes(path);
}

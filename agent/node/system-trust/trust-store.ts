import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where a system reads additional authorities from, and the command that applies them. */
export interface SystemStore {
  folder: string;
  /** The path of a program, and its arguments. */
  update: string;
  added: readonly string[];
  /** Arguments after a file was removed. */
  removed: readonly string[];
}

const stores: readonly SystemStore[] = [
  // Debian, Ubuntu, Alpine: update-ca-certificates(8) takes files that end in .crt, and leaves links
  // to those that are gone unless it begins afresh.
  {
    folder: 'usr/local/share/ca-certificates',
    update: 'usr/sbin/update-ca-certificates',
    added: [],
    removed: ['--fresh'],
  },
  // Fedora, RHEL: update-ca-trust(8).
  {
    folder: 'etc/pki/ca-trust/source/anchors',
    update: 'usr/bin/update-ca-trust',
    added: ['extract'],
    removed: ['extract'],
  },
];

/** The trust store of the system below `root`; null if it is of an unknown kind. */
export function findSystemStore(root: string): SystemStore | null {
  const found = stores.find(({ folder, update }) =>
    [folder, update].every((path) => existsSync(join(root, path))),
  );
  if (!found) return null;
  return { ...found, folder: join(root, found.folder), update: join(root, found.update) };
}

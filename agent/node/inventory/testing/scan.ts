import type { Home } from '../platform-paths/platform-paths.ts';
import { createScanner, type Inventory } from '../scanner.ts';
import { openTree, type Tree } from '../tree.ts';

export interface InventoryOptions {
  /** The homes to search, as absolute paths below `root`. */
  homes: readonly Home[];
  root?: string;
  platform?: 'linux' | 'darwin';
  signal?: AbortSignal;
}

/**
 * Finds the AI apps of this machine by reading files and the process table: no found program is
 * run, and no secret is copied. The same machine results in the same list in the same order.
 * Rejects only with the reason of `signal`.
 */
export function scanInventory(options: InventoryOptions): Promise<Inventory> {
  return scanTree(openTree(options.root ?? '/'), options);
}

/** Like `scanInventory`, for a tree that is already open. */
export function scanTree(tree: Tree, options: InventoryOptions): Promise<Inventory> {
  const { homes, platform, signal } = options;
  return createScanner(tree, { platform }).scan(homes, { signal });
}

import { contentSize, type PackageEntry } from '../package-entry.ts';
import { baseName, compareBytes, parentOf } from '../bundle/read-tree.ts';
import { createBomStore, u32 } from './bom-store.ts';
import { addTree } from './bom-tree.ts';
import { type ContentFacts, pathRecord } from './path-record.ts';

/** The maximum size, and the maximum sum of sizes: both are 32-bit numbers. */
export const MAX_BYTES = 0xffffffff;

/**
 * Writes the bill of materials: all installed paths with checksums. `facts` contains the results of
 * reading each file.
 */
export function writeBom(
  entries: readonly PackageEntry[],
  facts: ReadonlyMap<PackageEntry, ContentFacts>,
): Buffer {
  const paths = inBomOrder(entries);
  const store = createBomStore();
  store.name('BomInfo', store.add(bomInfo(paths, facts)));
  const ids = new Map(paths.map(({ path }, i) => [path, i + 1]));
  const pairs = paths.map((entry): [number, number] => {
    const record = store.add(pathRecord(entry, facts.get(entry)));
    const value = store.add(u32(ids.get(entry.path) as number, record));
    const key = [u32(ids.get(parentOf(entry.path)) ?? 0), Buffer.from(`${baseName(entry.path)}\0`)];
    return [value, store.add(Buffer.concat(key))];
  });
  store.name('Paths', addTree(store, pairs));
  store.name('HLIndex', addTree(store, []));
  store.name(
    'VIndex',
    store.add(Buffer.concat([u32(1, addTree(store, [], 128), 0), Buffer.of(0)])),
  );
  store.name('Size64', addTree(store, []));
  return store.finish();
}

/**
 * Sorts the entries and assigns ids in breadth-first order, with names in byte order. The tree is
 * sorted by parent id and name, and this numbering makes every id larger than those before it.
 */
function inBomOrder(entries: readonly PackageEntry[]): PackageEntry[] {
  const children = Map.groupBy(entries, ({ path }) => parentOf(path));
  const ordered = [...(children.get('') ?? [])];
  for (const entry of ordered) {
    const below = children.get(entry.path) ?? [];
    ordered.push(...below.toSorted((a, b) => compareBytes(baseName(a.path), baseName(b.path))));
  }
  return ordered;
}

/**
 * The number of bytes per architecture. Architecture 0 contains all files that are not programs.
 */
function bomInfo(
  entries: readonly PackageEntry[],
  facts: ReadonlyMap<PackageEntry, ContentFacts>,
): Buffer {
  const bytes = new Map([[0, 0]]);
  const count = (cpuType: number, size: number) =>
    bytes.set(cpuType, (bytes.get(cpuType) ?? 0) + size);
  for (const entry of entries) {
    const machO = facts.get(entry)?.machO;
    if (machO) for (const { cpuType, size } of machO.slices) count(cpuType, size);
    else count(0, contentSize(entry));
  }
  const rows = [...bytes].sort(([a], [b]) => a - b);
  const fields = rows.flatMap(([cpuType, size]) => [cpuType, 0, size, 0]);
  return u32(1, entries.length + 1, rows.length, ...fields);
}

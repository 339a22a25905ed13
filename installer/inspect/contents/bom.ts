import { InstallerError } from '../../installer-error.ts';
import { type BomStore, openBomStore } from './bom-store.ts';
import { ENTRY_LIMIT, type FileKind } from './cpio.ts';

/** The record of a path in a Bom. */
export interface BomEntry {
  kind: FileKind;
  mode: number;
  /** The size modulo 2^32, a limit of the format. */
  size: number;
  checksum: number;
  target: string | null;
}

const kinds: Readonly<Record<number, FileKind>> = { 1: 'file', 2: 'directory', 3: 'link' };
const RECORD_SIZE = 31;

/**
 * Reads all paths of a Bom, as `.` and `./a/b`.
 *
 * @throws InstallerError if the Bom is damaged
 */
export function readBom(bytes: Buffer): Map<string, BomEntry> {
  const store = openBomStore(bytes);
  const leaves = readTree(store, store.variable('Paths'));
  const nodes = new Map(leaves.map(([about, file]) => readNode(store, about, file)));
  const info = store.variable('BomInfo');
  const highest = [...nodes.keys()].reduce((maximum, id) => Math.max(maximum, id), 0);
  if (info.length < 8 || info.readUInt32BE(4) !== highest + 1)
    throw new InstallerError(`BomInfo states a number of paths other than ${highest + 1}`);
  const entries = new Map<string, BomEntry>();
  for (const id of nodes.keys()) entries.set(pathOf(nodes, id), (nodes.get(id) as Node).entry);
  if (entries.size !== nodes.size || nodes.size !== leaves.length)
    throw new InstallerError('a path occurs twice');
  return entries;
}

interface Node {
  parent: number;
  name: string;
  entry: BomEntry;
}

/** The pairs of block numbers in the leaves of a tree, from the first leaf to the last. */
function readTree(store: BomStore, header: Buffer): [number, number][] {
  if (header.length < 21 || header.toString('latin1', 0, 4) !== 'tree')
    throw new InstallerError('Paths is not a tree');
  const stated = header.readUInt32BE(16);
  if (stated > ENTRY_LIMIT) throw new InstallerError(`more than ${ENTRY_LIMIT} paths`);
  const pairs: [number, number][] = [];
  const visited = new Set<number>();
  for (let number = firstLeaf(store, header.readUInt32BE(8), visited); number !== 0;) {
    const leaf = visit(store, number, visited);
    pairs.push(...readPairs(leaf));
    number = leaf.readUInt32BE(4);
  }
  if (pairs.length !== stated)
    throw new InstallerError(`Paths contains ${pairs.length} paths, but states ${stated}`);
  return pairs;
}

/** Descends from the root: the first pair of an inner block leads to the block below it. */
function firstLeaf(store: BomStore, root: number, visited: Set<number>): number {
  for (let number = root; ;) {
    const block = store.block(number, 12);
    if (block.readUInt16BE(0) !== 0) return number;
    visit(store, number, visited);
    const [first] = readPairs(block);
    if (!first) throw new InstallerError(`block ${number} of the tree is empty`);
    [number] = first;
  }
}

function visit(store: BomStore, number: number, visited: Set<number>): Buffer {
  if (visited.has(number))
    throw new InstallerError(`block ${number} of the tree is part of a cycle`);
  visited.add(number);
  return store.block(number, 12);
}

function readPairs(block: Buffer): [number, number][] {
  const count = block.readUInt16BE(2);
  if (12 + count * 8 > block.length) throw new InstallerError('a block of the tree is too short');
  return Array.from({ length: count }, (_, index) => [
    block.readUInt32BE(12 + index * 8),
    block.readUInt32BE(16 + index * 8),
  ]);
}

/**
 * Reads a node. The first block refers to the record of a path, the second contains its parent and
 * name.
 */
function readNode(store: BomStore, recordBlock: number, nodeBlock: number): [number, Node] {
  const link = store.block(recordBlock, 8);
  const nameBlock = store.block(nodeBlock, 5);
  const end = nameBlock.indexOf(0, 4);
  if (end < 5) throw new InstallerError(`block ${nodeBlock} does not contain a name`);
  const name = nameBlock.toString('utf8', 4, end);
  const entry = readRecord(store.block(link.readUInt32BE(4), RECORD_SIZE), name);
  return [link.readUInt32BE(0), { parent: nameBlock.readUInt32BE(0), name, entry }];
}

/**
 * Parses a record: kind at 0, mode at 4, size at 18, checksum at 23, length of a link's target at
 * 27 (including its NUL), then the target. Architecture, owner and time are between them and are
 * not used here.
 */
function readRecord(record: Buffer, name: string): BomEntry {
  const kind = kinds[record[0] as number];
  if (!kind) throw new InstallerError(`${name}: not a file, folder or link`);
  const length = record.readUInt32BE(27);
  if (kind === 'link' && (length < 1 || RECORD_SIZE + length > record.length))
    throw new InstallerError(`${name}: is a link without a target`);
  return {
    kind,
    mode: record.readUInt16BE(4),
    size: record.readUInt32BE(18),
    checksum: record.readUInt32BE(23),
    target: kind === 'link' ? record.toString('utf8', RECORD_SIZE, RECORD_SIZE + length - 1) : null,
  };
}

function pathOf(nodes: ReadonlyMap<number, Node>, id: number): string {
  const names: string[] = [];
  for (let at = id; at !== 0;) {
    const node = nodes.get(at);
    if (!node || names.length > 1024)
      throw new InstallerError(`${nodes.get(id)?.name}: its parent folders do not reach the root`);
    if (node.name === '' || node.name === '..' || node.name.includes('/'))
      throw new InstallerError(`"${node.name}" is not a valid file name`);
    names.unshift(node.name);
    at = node.parent;
  }
  if (names[0] !== '.') throw new InstallerError(`${names.join('/')}: does not start at "."`);
  return names.join('/');
}

import { type BomStore, u32 } from './bom-store.ts';

/** The numbers of two blocks. The tree is sorted by the content of the key's block. */
export type TreePair = readonly [value: number, key: number];

interface TreeNode {
  leaf: boolean;
  pairs: readonly TreePair[];
}

const MAX_NODE_PAIRS = 256;
const PATHS_NODE_SIZE = 4096;

/** Stores a tree and returns the number of its head. Every node occupies a full `nodeSize`. */
export function addTree(
  store: BomStore,
  pairs: readonly TreePair[],
  nodeSize = PATHS_NODE_SIZE,
): number {
  let level = addLevel(store, split(pairs, true), nodeSize);
  while (level.length > 1) level = addLevel(store, split(level, false), nodeSize);
  const [root] = level as [TreePair];
  return store.add(
    Buffer.concat([Buffer.from('tree'), u32(1, root[0], nodeSize, pairs.length), Buffer.of(0)]),
  );
}

function split(pairs: readonly TreePair[], leaf: boolean): TreeNode[] {
  const count = Math.max(1, Math.ceil(pairs.length / MAX_NODE_PAIRS));
  return Array.from({ length: count }, (_, i) => ({
    leaf,
    pairs: pairs.slice(i * MAX_NODE_PAIRS, (i + 1) * MAX_NODE_PAIRS),
  }));
}

/** Stores the nodes of a level. The level above refers to each of them by its last key. */
function addLevel(store: BomStore, nodes: readonly TreeNode[], nodeSize: number): TreePair[] {
  const first = store.next();
  return nodes.map((node, i) => {
    const forward = i + 1 < nodes.length ? first + i + 1 : 0;
    const backward = i > 0 ? first + i - 1 : 0;
    const block = store.add(nodeBlock(node, forward, backward, nodeSize));
    return [block, node.pairs.at(-1)?.[1] ?? 0];
  });
}

function nodeBlock(node: TreeNode, forward: number, backward: number, nodeSize: number): Buffer {
  const block = Buffer.alloc(nodeSize);
  block.writeUInt16BE(node.leaf ? 1 : 0, 0);
  block.writeUInt16BE(node.pairs.length, 2);
  block.set(u32(forward, backward, ...node.pairs.flat()), 4);
  return block;
}

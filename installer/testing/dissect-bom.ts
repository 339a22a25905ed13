/** The parts of a Bom, parsed independently of the writer. */
export interface DissectedBom {
  bytes: Buffer;
  block: (number: number) => Buffer;
  variables: Map<string, number>;
}

export interface Leaf {
  number: number;
  forward: number;
  backward: number;
  pairs: [number, number][];
}

export function dissect(bytes: Buffer): DissectedBom {
  const indexAt = bytes.readUInt32BE(16);
  const block = (number: number): Buffer => {
    const at = indexAt + 4 + number * 8;
    const start = bytes.readUInt32BE(at);
    return bytes.subarray(start, start + bytes.readUInt32BE(at + 4));
  };
  const variables = new Map<string, number>();
  let at = bytes.readUInt32BE(24) + 4;
  for (let left = bytes.readUInt32BE(at - 4); left > 0; left -= 1) {
    const end = at + 5 + bytes.readUInt8(at + 4);
    variables.set(bytes.toString('latin1', at + 5, end), bytes.readUInt32BE(at));
    at = end;
  }
  return { bytes, block, variables };
}

export function node(bom: DissectedBom, number: number): Leaf & { leaf: boolean; size: number } {
  const block = bom.block(number);
  const pairs = Array.from({ length: block.readUInt16BE(2) }, (_, i): [number, number] => [
    block.readUInt32BE(12 + i * 8),
    block.readUInt32BE(16 + i * 8),
  ]);
  const [forward, backward] = [block.readUInt32BE(4), block.readUInt32BE(8)];
  return {
    number,
    leaf: block.readUInt16BE(0) === 1,
    forward,
    backward,
    pairs,
    size: block.length,
  };
}

/** All nodes of a tree, level by level from the root, each level from left to right. */
export function levels(bom: DissectedBom, tree: number): ReturnType<typeof node>[][] {
  let level = [node(bom, bom.block(tree).readUInt32BE(8))];
  const all = [level];
  while (level.some(({ leaf }) => !leaf)) {
    level = level.flatMap(({ pairs }) => pairs.map(([below]) => node(bom, below)));
    all.push(level);
  }
  return all;
}

/** The records of all paths, by path. */
export function records(bom: DissectedBom): Map<string, Buffer> {
  const leaves = levels(bom, bom.variables.get('Paths') as number).at(-1) ?? [];
  const paths = new Map([[0, '']]);
  const byPath = new Map<string, Buffer>();
  for (const [value, key] of leaves.flatMap(({ pairs }) => pairs)) {
    const [about, named] = [bom.block(value), bom.block(key)];
    const name = named.toString('utf8', 4, named.length - 1);
    const parent = paths.get(named.readUInt32BE(0)) as string;
    const path = parent === '' ? name : `${parent}/${name}`;
    paths.set(about.readUInt32BE(0), path);
    byPath.set(path, bom.block(about.readUInt32BE(4)));
  }
  return byPath;
}

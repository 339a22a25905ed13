const HEADER_SIZE = 512;

export interface BomStore {
  /** Stores a block and returns its number. */
  add: (block: Buffer) => number;
  /** Predicts the numbers of the next blocks, in order, without storing anything. */
  next: () => number;
  /** Registers a block under a name. */
  name: (name: string, block: number) => void;
  finish: () => Buffer;
}

/**
 * The container of a Bom: numbered blocks, some of them named. All numbers are big endian; block 0
 * is the null block. Layout: header, blocks, names, index of blocks with an empty list of free
 * ones.
 */
export function createBomStore(): BomStore {
  const blocks: Buffer[] = [];
  const names: Buffer[] = [];
  return {
    add: (block) => blocks.push(block),
    next: () => blocks.length + 1,
    name: (name, block) => {
      names.push(u32(block), Buffer.of(name.length), Buffer.from(name));
    },
    finish() {
      const vars = Buffer.concat([u32(names.length / 3), ...names]);
      const varsAt = HEADER_SIZE + blocks.reduce((sum, { length }) => sum + length, 0);
      const index = indexOf(blocks);
      const header = Buffer.alloc(HEADER_SIZE);
      header.write('BOMStore');
      const fields = [1, blocks.length, varsAt + vars.length, index.length, varsAt, vars.length];
      header.set(u32(...fields), 8);
      return Buffer.concat([header, ...blocks, vars, index]);
    },
  };
}

function indexOf(blocks: readonly Buffer[]): Buffer {
  let address = HEADER_SIZE;
  const pointers = blocks.flatMap(({ length }) => {
    address += length;
    return [address - length, length];
  });
  // Two empty pairs end the list of free blocks, as in Apple's files.
  return words([blocks.length + 1, 0, 0, ...pointers, 0, 0, 0, 0, 0]);
}

export const u32 = (...values: number[]): Buffer => words(values);

function words(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) buffer.writeUInt32BE(value, i * 4);
  return buffer;
}

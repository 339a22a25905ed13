import { describe, expect, test } from 'vitest';
import { fatMachO } from '../testing/make-app.ts';
import { readMachO } from '../mach-o.ts';
import type { PackageEntry } from '../package-entry.ts';
import { posixChecksum } from '../posix-checksum.ts';
import type { ContentFacts } from './path-record.ts';
import { dissect, levels, node, records } from '../testing/dissect-bom.ts';
import { writeBom } from './write-bom.ts';

const common = { mode: 0o755, uid: 0, gid: 80, mtime: 0x65540000 };
const folder = (path: string): PackageEntry => ({ ...common, type: 'directory', path });
const file = (path: string, size: number): PackageEntry => ({
  ...common,
  type: 'file',
  path,
  mode: 0o644,
  size,
  content: Buffer.alloc(0),
});
const fat = file('./b/fat', fatMachO().length);
const thin = file('./b/thin', 0x1234);
const plain = file('./b/a', 300);
const link: PackageEntry = { ...common, type: 'link', path: './a', target: 'b/a' };
const entries = [folder('.'), link, folder('./b'), plain, fat, thin, folder('./É')];

const slice = { cpuType: 0x0100000c, cpuSubtype: 0, offset: 0, size: 0x1234, checksum: 7 };
const fatSlices = readMachO(fatMachO(), fatMachO().length)?.slices ?? [];
const facts = new Map<PackageEntry, ContentFacts>([
  [plain, { checksum: 0xfedcba98, machO: null }],
  [thin, { checksum: 7, machO: { fat: false, slices: [slice] } }],
  [
    fat,
    {
      checksum: 9,
      machO: { fat: true, slices: fatSlices.map((one) => ({ ...one, checksum: 5 })) },
    },
  ],
]);
const bom = dissect(writeBom(entries, facts));
const hex = (bytes: Buffer | undefined) => bytes?.toString('hex');
const variable = (name: string) => bom.block(bom.variables.get(name) as number);

describe('a Bom', () => {
  test('has its header, names and index', () => {
    const { bytes } = bom;
    expect(hex(bytes.subarray(0, 12))).toBe(`${hex(Buffer.from('BOMStore'))}00000001`);
    expect(hex(bytes.subarray(32, 512))).toBe('00'.repeat(480));
    const blocks = bytes.readUInt32BE(12);
    const [indexAt, indexLength] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    expect(bytes.readUInt32BE(indexAt)).toBe(blocks + 1);
    expect(bytes.readBigUInt64BE(indexAt + 4)).toBe(0n);
    // The list of free blocks: empty, terminated by two empty pairs.
    expect(indexLength).toBe(4 + (blocks + 1) * 8 + 20);
    expect(hex(bytes.subarray(-20))).toBe('00'.repeat(20));
    expect(indexAt + indexLength).toBe(bytes.length);
    const names = ['BomInfo', 'Paths', 'HLIndex', 'VIndex', 'Size64'];
    expect([...bom.variables.keys()]).toEqual(names);
    expect(bytes.readUInt32BE(28)).toBe(4 + names.join('').length + names.length * 5);
  });

  test('counts bytes by architecture, without links', () => {
    const words = (...fields: string[]) => fields.map((field) => field.padStart(8, '0')).join('');
    expect(hex(variable('BomInfo'))).toBe(
      words('1', '8', '3', '0', '0', (303).toString(16), '0') +
        words('01000007', '0', (2000).toString(16), '0') +
        words('0100000c', '0', (1000 + 0x1234).toString(16), '0'),
    );
  });

  test('has a record of every path', () => {
    const recordsByPath = records(bom);
    expect([...recordsByPath.keys()]).toEqual([
      '.',
      './a',
      './b',
      './É',
      './b/a',
      './b/fat',
      './b/thin',
    ]);
    const owner = '000000000000005065540000';
    expect(hex(recordsByPath.get('./b'))).toBe(`0201000f41ed${owner}0000000001${'00'.repeat(8)}`);
    expect(hex(recordsByPath.get('./b/a'))).toBe(
      `0101000f81a4${owner}0000012c01fedcba98${'00'.repeat(8)}`,
    );
    const target = posixChecksum(Buffer.from('b/a')).toString(16).padStart(8, '0');
    expect(hex(recordsByPath.get('./a'))).toBe(
      `0301000fa1ed${owner}0000000301${target}00000004622f6100${'00'.repeat(8)}`,
    );
    expect(hex(recordsByPath.get('./b/thin'))).toBe(
      `0101100f81a4${owner}000012340100000007` +
        `01000000010100000c000000000000123400000007${'00'.repeat(8)}`,
    );
    expect(hex(recordsByPath.get('./b/fat'))).toBe(
      `0101200f81a4${owner}000023e80100000009` +
        '0100000002' +
        '0100000700000003000007d000000005' +
        `0100000c00000003000003e800000005${'00'.repeat(8)}`,
    );
  });

  test('has empty trees for unused features', () => {
    const empty = (size: number) => [[expect.objectContaining({ leaf: true, pairs: [], size })]];
    expect(levels(bom, bom.variables.get('HLIndex') as number)).toEqual(empty(4096));
    expect(levels(bom, bom.variables.get('Size64') as number)).toEqual(empty(4096));
    const vIndex = variable('VIndex');
    expect(vIndex.length).toBe(13);
    expect(vIndex.readUInt32BE(0)).toBe(1);
    expect(levels(bom, vIndex.readUInt32BE(4))).toEqual(empty(128));
    expect(hex(vIndex.subarray(8))).toBe('0000000000');
  });

  test.each([
    [256, [1]],
    [257, [1, 2]],
    [65_536, [1, 256]],
    [65_537, [1, 2, 257]],
  ])('stores %i paths in a tree of nodes with at most 256 entries, %j', (count, sizes) => {
    const many = [
      folder('.'),
      ...Array.from({ length: count - 1 }, (_, i) => folder(`./${i % 3}/x${i}`)),
    ].map((entry, i) => (i > 0 && i < 4 ? folder(`./${i - 1}`) : entry));
    const large = dissect(writeBom(many, new Map()));
    const tree = large.variables.get('Paths') as number;
    const nodes = levels(large, tree);
    expect(nodes.map(({ length }) => length)).toEqual(sizes);
    expect(large.block(tree).readUInt32BE(16)).toBe(count);
    for (const [depth, level] of nodes.entries())
      for (const [i, one] of level.entries()) {
        expect(one).toMatchObject({
          leaf: depth === nodes.length - 1,
          size: 4096,
          forward: level[i + 1]?.number ?? 0,
          backward: level[i - 1]?.number ?? 0,
        });
        const below = one.leaf ? [] : one.pairs.map(([child, key]) => ({ child, key }));
        // The parent refers to a node by its last key.
        for (const { child, key } of below) expect(node(large, child).pairs.at(-1)?.[1]).toBe(key);
      }
    expect([...records(large).keys()].sort()).toEqual(many.map(({ path }) => path).sort());
  });

  test('cannot be written for a file whose content was not read', () => {
    expect(() => writeBom([folder('.'), folder('./b'), plain], new Map())).toThrow(
      './b/a: its content',
    );
  });
});

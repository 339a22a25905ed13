import { gzipSync } from 'node:zlib';
import { createCksum } from '../contents/cksum.ts';
import type { CraftedFile } from './craft-archive.ts';

/** An entry to install. Its Bom record may differ. */
export interface CraftedEntry {
  path: string;
  mode: number;
  content?: string | Uint8Array;
  bom?: Partial<{ path: string; mode: number; size: number; checksum: number; target: string }>;
  /** Adds the entry only to the archive, or only to the Bom. */
  only?: 'cpio' | 'bom';
}

export interface CraftedComponent {
  folder?: string;
  identifier?: string;
  entries?: readonly CraftedEntry[];
  scripts?: readonly CraftedEntry[];
  /** Overrides attributes of `<payload>`. */
  payload?: { files?: number; kilobytes?: number };
  editBom?: (bom: Buffer) => Buffer;
  editCpio?: (cpio: Buffer) => Buffer;
  editGzip?: (gzip: Buffer) => Buffer;
}

export const IDENTIFIER = 'com.example.app';
export const sampleEntries: readonly CraftedEntry[] = [
  { path: '.', mode: 0o40755 },
  { path: './X.app', mode: 0o40755 },
  { path: './X.app/run', mode: 0o100755, content: '#!/bin/sh\nexit 0\n' },
  { path: './X.app/link', mode: 0o120755, content: 'run' },
  { path: './X.app/empty', mode: 0o100644, content: '' },
];
const sampleScripts: readonly CraftedEntry[] = [
  { path: '.', mode: 0o40755 },
  { path: './postinstall', mode: 0o100755, content: '#!/bin/sh\n' },
];

/** The four files of a component. */
export function craftComponent(component: CraftedComponent = {}): CraftedFile[] {
  const { folder = `${IDENTIFIER}.pkg/`, entries = sampleEntries } = component;
  const { scripts = sampleScripts, editBom = asIs, editCpio = asIs, editGzip = asIs } = component;
  const cpio = editCpio(writeCpio(entries.filter(({ only }) => only !== 'bom')));
  const bom = craftBom(entries.filter(({ only }) => only !== 'cpio'));
  return [
    { path: `${folder}Bom`, content: editBom(bom), zlib: true },
    { path: `${folder}PackageInfo`, content: packageInfo(component, entries.length), zlib: true },
    { path: `${folder}Payload`, content: editGzip(gzipSync(cpio)) },
    { path: `${folder}Scripts`, content: gzipSync(writeCpio(scripts)) },
  ];
}

const asIs = (bytes: Buffer) => bytes;

function packageInfo({ identifier: id = IDENTIFIER, payload }: CraftedComponent, count: number) {
  const { files = count, kilobytes = 1 } = payload ?? {};
  return Buffer.from(
    `<pkg-info identifier="${id}" version="1.2.3" ` +
      `install-location="/Applications" format-version="2" auth="root">` +
      `<payload numberOfFiles="${files}" installKBytes="${kilobytes}"/>` +
      `<scripts><postinstall file="./postinstall"/></scripts></pkg-info>`,
  );
}

export function craftDistribution(reference = `#${IDENTIFIER}.pkg`): CraftedFile {
  const xml =
    `<?xml version="1.0" encoding="utf-8"?><installer-gui-script minSpecVersion="1">` +
    `<title>X</title><options hostArchitectures="x86_64,arm64" customize="never"/>` +
    `<allowed-os-versions><os-version min="12.0"/></allowed-os-versions>` +
    `<choices-outline><line choice="default"/></choices-outline>` +
    `<choice id="default"><pkg-ref id="${IDENTIFIER}"/></choice>` +
    `<pkg-ref id="${IDENTIFIER}" version="1.2.3" auth="root">${reference}</pkg-ref>` +
    `<product id="com.example.product" version="1.2.3"/></installer-gui-script>`;
  return { path: 'Distribution', content: Buffer.from(xml), zlib: true };
}

/** The files of a whole product archive. */
export const craftProduct = (component: CraftedComponent = {}): CraftedFile[] => [
  craftDistribution(),
  ...craftComponent(component),
];

function writeCpio(entries: readonly CraftedEntry[]): Buffer {
  const records = entries.map(({ path, mode, content = '' }) => record(path, mode, content));
  return Buffer.concat([...records, record('TRAILER!!!', 0, '')]);
}

function record(path: string, mode: number, content: string | Uint8Array): Buffer {
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const name = Buffer.from(`${path}\0`);
  const data = Buffer.from(content as string);
  const header =
    `070707${octal(0, 12)}${octal(mode, 6)}${octal(0, 12)}${octal(1, 6)}${octal(0, 6)}` +
    `${octal(0, 11)}${octal(name.length, 6)}${octal(data.length, 11)}`;
  return Buffer.concat([Buffer.from(header), name, data]);
}

/** Encodes a Bom: the header, the blocks, their index and the variables. */
function craftBom(entries: readonly CraftedEntry[]): Buffer {
  const blocks: Buffer[] = [Buffer.alloc(0)];
  const add = (block: Buffer) => blocks.push(block) - 1;
  const ids = new Map(entries.map(({ path, bom }, index) => [bom?.path ?? path, index + 1]));
  const pairs = entries.map((entry, index) => {
    const path = entry.bom?.path ?? entry.path;
    const slash = path.lastIndexOf('/');
    const parent = ids.get(path.slice(0, Math.max(0, slash))) ?? 0;
    const info = add(words(index + 1, add(describe(entry))));
    return [info, add(Buffer.concat([words(parent), Buffer.from(`${path.slice(slash + 1)}\0`)]))];
  });
  const leaf = add(Buffer.concat([words((1 << 16) | pairs.length, 0, 0), words(...pairs.flat())]));
  const tree = Buffer.concat([
    Buffer.from('tree'),
    words(1, leaf, 4096, pairs.length),
    Buffer.of(0),
  ]);
  const variables = { BomInfo: add(words(1, entries.length + 1, 0)), Paths: add(tree) };
  return assemble(blocks, variables);
}

function describe({ mode, content = '', bom }: CraftedEntry): Buffer {
  const data = Buffer.from(content as string);
  const kind = { 0o10: 1, 0o4: 2, 0o12: 3 }[mode >> 12] ?? 1;
  const cksum = createCksum();
  cksum.update(data);
  const checksum = bom?.checksum ?? (kind === 2 ? 0 : cksum.finish());
  const target = kind === 3 ? Buffer.from(`${bom?.target ?? data.toString()}\0`) : Buffer.alloc(0);
  const head = Buffer.of(kind, 1, 0, 15, 0, 0);
  head.writeUInt16BE(bom?.mode ?? mode, 4);
  const middle = words(0, 0, 0, bom?.size ?? data.length);
  return Buffer.concat([head, middle, Buffer.of(1), words(checksum, target.length), target]);
}

function assemble(blocks: readonly Buffer[], variables: Record<string, number>): Buffer {
  let offset = 32;
  const index = blocks.flatMap((block) => {
    offset += block.length;
    return block.length === 0 ? [0, 0] : [offset - block.length, block.length];
  });
  const indexBlock = words(blocks.length, ...index);
  const names = Object.entries(variables).map(([name, block]) =>
    Buffer.concat([words(block), Buffer.of(name.length), Buffer.from(name)]),
  );
  const variableBlock = Buffer.concat([words(names.length), ...names]);
  const header = Buffer.concat([
    Buffer.from('BOMStore'),
    words(1, blocks.length - 1, offset, indexBlock.length),
    words(offset + indexBlock.length, variableBlock.length),
  ]);
  return Buffer.concat([header, ...blocks, indexBlock, variableBlock]);
}

/** Encodes 32-bit numbers in big endian. */
export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
}

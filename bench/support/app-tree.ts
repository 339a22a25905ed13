import { createCipheriv } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'plist';
import { seeded } from './calls.ts';

const BLOCK = 1 << 16;
const LARGE_FILES = 5;
const words =
  'the agent reads its policy and writes what it has seen const function return import export'.split(
    ' ',
  );

/**
 * Creates an app bundle with this many files and bytes. The content is always the same: a few large
 * files and many small ones, with every other block compressible. Its program has a Mach-O header.
 */
export function makeApp(app: string, files: number, bytes: number): void {
  const source = contentSource();
  const large = Math.floor(bytes / 3 / LARGE_FILES);
  const small = Math.floor((bytes - large * LARGE_FILES) / (files - LARGE_FILES - 1));
  for (let i = 0; i < files - 1; i += 1) {
    // The size is between half and one and a half times the average, with the same total.
    const size = i < LARGE_FILES ? large : Math.floor(small * (0.5 + (i % 101) / 100));
    const content = source(size);
    if (i === 0) content.set(Buffer.from('cffaedfe0c00000100000000', 'hex'));
    put(join(app, pathOf(i)), content, i === 0 ? 0o755 : 0o644);
  }
  put(join(app, 'Contents/Info.plist'), Buffer.from(build(infoPlist)), 0o644);
}

const infoPlist = {
  CFBundleIdentifier: 'com.gatehouse.agent',
  CFBundleExecutable: 'Gatehouse',
  CFBundleShortVersionString: '1.2.3',
  CFBundleVersion: '123',
};

const pathOf = (i: number): string =>
  i === 0 ? 'Contents/MacOS/Gatehouse' : `Contents/Resources/part-${i % 70}/file-${i}.bin`;

function put(path: string, content: Buffer, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
  utimesSync(path, 1_700_000_000, 1_700_000_000);
}

/** Creates a function that returns the next bytes of endless content. */
function contentSource(): (size: number) => Buffer {
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
  const random = seeded(5);
  const zeros = Buffer.alloc(BLOCK);
  const text = (): Buffer => {
    const parts: string[] = [];
    for (let length = 0; length < BLOCK; length += (parts.at(-1) as string).length)
      parts.push(`${words[Math.floor(random() * words.length)]} ${Math.floor(random() * 1000)} `);
    return Buffer.from(parts.join('')).subarray(0, BLOCK);
  };
  const texts = Array.from({ length: 64 }, text);
  let block = 0;
  return (size) => {
    const blocks: Buffer[] = [];
    for (let length = 0; length < size; length += BLOCK, block += 1)
      blocks.push(block % 2 ? noise.update(zeros) : (texts[(block / 2) % 64] as Buffer));
    return Buffer.from(Buffer.concat(blocks).subarray(0, size));
  };
}

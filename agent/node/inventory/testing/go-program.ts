import type { FakeFile } from './fixtures.ts';

/** What the linker writes: a mark, and between two signs of sixteen bytes a line for each module. */
function buildInfo(path: string, version: string, dependencies: readonly string[]): Buffer {
  const lines = [
    `path\t${path}`,
    `mod\t${path}\t${version}\th1:x=`,
    ...dependencies.map((name) => `dep\t${name}\tv1.0.0\th1:x=`),
  ];
  return Buffer.concat([
    Buffer.from('\xff Go buildinf:\u0008\u0002', 'latin1'),
    Buffer.alloc(16),
    Buffer.from('\u0006go1.24', 'latin1'),
    Buffer.from('3077af0c9274080241e1c107e6d618e6', 'hex'),
    Buffer.from(lines.map((line) => `${line}\n`).join('')),
    Buffer.from('f932433186182072008242104116d8f2', 'hex'),
  ]);
}

/** A program for Linux of nothing but its build information and the table that says where it is. */
function elf(info: Buffer): Buffer {
  const names = Buffer.from('\0.go.buildinfo\0.shstrtab\0');
  const head = Buffer.alloc(64);
  head.write('7f454c46020101', 'hex');
  head.writeBigUInt64LE(BigInt(64 + info.length + names.length), 40);
  for (const [at, value] of [
    [58, 64],
    [60, 3],
    [62, 2],
  ] as const)
    head.writeUInt16LE(value, at);
  const section = (name: number, offset: number, size: number) => {
    const bytes = Buffer.alloc(64);
    bytes.writeUInt32LE(name, 0);
    bytes.writeBigUInt64LE(BigInt(offset), 24);
    bytes.writeBigUInt64LE(BigInt(size), 32);
    return bytes;
  };
  const sections = [
    section(0, 0, 0),
    section(1, 64, info.length),
    section(15, 64 + info.length, names.length),
  ];
  return Buffer.concat([head, info, names, ...sections]);
}

/** The same for macOS: one segment with one section. */
function macho(info: Buffer): Buffer {
  const head = Buffer.alloc(32);
  head.write('cffaedfe', 'hex');
  head.writeUInt32LE(72 + 80, 20);
  const command = Buffer.alloc(72 + 80);
  command.writeUInt32LE(0x19, 0);
  command.writeUInt32LE(command.length, 4);
  command.write('__go_buildinfo', 72, 'latin1');
  command.writeBigUInt64LE(BigInt(info.length), 72 + 40);
  command.writeUInt32LE(head.length + command.length, 72 + 48);
  return Buffer.concat([head, command, info]);
}

interface GoParts {
  path: string;
  version?: string;
  dependencies?: readonly string[];
}

export function goBytes(parts: GoParts, system: 'linux' | 'darwin' = 'linux'): Buffer {
  const info = buildInfo(parts.path, parts.version ?? 'v1.2.0', parts.dependencies ?? []);
  return system === 'linux' ? elf(info) : macho(info);
}

export const goProgram = (parts: GoParts): FakeFile => ({ text: goBytes(parts), mode: 0o755 });

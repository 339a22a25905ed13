import { elf, macho } from './executables.ts';
import type { FakeFile } from './fixtures.ts';

/**
 * The linker's build information: a mark, and one line per module between two markers of sixteen
 * bytes.
 */
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

interface GoParts {
  path: string;
  version?: string;
  dependencies?: readonly string[];
}

export function goBytes(parts: GoParts, system: 'linux' | 'darwin' = 'linux'): Buffer {
  const info = buildInfo(parts.path, parts.version ?? 'v1.2.0', parts.dependencies ?? []);
  return system === 'linux' ? elf('.go.buildinfo', info) : macho('__go_buildinfo', info);
}

export const goProgram = (parts: GoParts): FakeFile => ({ text: goBytes(parts), mode: 0o755 });

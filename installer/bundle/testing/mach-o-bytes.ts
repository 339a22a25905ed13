import { CPU_ARM64, CPU_X86_64 } from '../../mach-o.ts';

/** A thin Mach-O file of one architecture and the given size. */
export function thinMachO(cpuType: number, size: number): Buffer {
  const bytes = Buffer.alloc(size, cpuType % 251);
  // 64-bit magic, cpu type and subtype, kind "executable", no load commands
  for (const [i, word] of [0xfeedfacf, cpuType, 3, 2, 0, 0, 0, 0].entries())
    bytes.writeUInt32LE(word, i * 4);
  return bytes;
}

/** A universal file for both kinds of Mac; the slices are aligned to 4096 bytes. */
export function fatMachO(): Buffer {
  const slices = [thinMachO(CPU_X86_64, 2000), thinMachO(CPU_ARM64, 1000)];
  const header = Buffer.alloc(4096);
  header.writeUInt32BE(0xcafebabe);
  header.writeUInt32BE(slices.length, 4);
  for (const [i, slice] of slices.entries()) {
    const fields = [slice.readUInt32LE(4), 3, 4096 * (i + 1), slice.length, 12];
    for (const [j, field] of fields.entries()) header.writeUInt32BE(field, 8 + i * 20 + j * 4);
  }
  const [first, second] = slices as [Buffer, Buffer];
  return Buffer.concat([header, first, Buffer.alloc(4096 - first.length), second]);
}

/** One architecture of a program: a whole thin file, or a part of a universal one. */
export interface MachSlice {
  cpuType: number;
  cpuSubtype: number;
  offset: number;
  size: number;
}

export interface MachO {
  fat: boolean;
  slices: readonly MachSlice[];
}

export const CPU_X86_64 = 0x01000007;
export const CPU_ARM64 = 0x0100000c;

/** More than any universal header needs. */
export const MACH_HEAD_BYTES = 4096;

// A Java class has the magic of a universal file, and its version, at least 45, in place of the
// number of architectures.
const MAX_SLICES = 30;

/**
 * The architectures of a file from its first bytes (MACH_HEAD_BYTES of them, or all); null if it is
 * not a Mach-O file.
 */
export function readMachO(head: Buffer, fileSize: number): MachO | null {
  if (head.length < 12) return null;
  const magic = head.readUInt32BE(0);
  if (magic === 0xcafebabe || magic === 0xcafebabf) return readFat(head, fileSize, magic);
  const littleEndian = magic === 0xcefaedfe || magic === 0xcffaedfe;
  if (!littleEndian && magic !== 0xfeedface && magic !== 0xfeedfacf) return null;
  const read = (at: number) => (littleEndian ? head.readUInt32LE(at) : head.readUInt32BE(at));
  const whole = { cpuType: read(4), cpuSubtype: read(8), offset: 0, size: fileSize };
  return { fat: false, slices: [whole] };
}

function readFat(head: Buffer, fileSize: number, magic: number): MachO | null {
  const count = head.readUInt32BE(4);
  const wide = magic === 0xcafebabf;
  const recordSize = wide ? 32 : 20;
  if (count === 0 || count > MAX_SLICES || head.length < 8 + count * recordSize) return null;
  const slices = Array.from({ length: count }, (_, i) => {
    const at = 8 + i * recordSize;
    const [cpuType, cpuSubtype] = [head.readUInt32BE(at), head.readUInt32BE(at + 4)];
    const [offset, size] = wide
      ? [Number(head.readBigUInt64BE(at + 8)), Number(head.readBigUInt64BE(at + 16))]
      : [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)];
    return { cpuType, cpuSubtype, offset, size };
  });
  return slices.every(({ offset, size }) => offset + size <= fileSize)
    ? { fat: true, slices }
    : null;
}

/** One architecture of a program: a whole thin file, or a part of a universal file. */
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

/** The number of bytes to read, more than any universal header has. */
export const MACH_HEAD_BYTES = 4096;

// A Java class file has the same magic as a universal file. At the position of the number of
// architectures it has its version, which is at least 45.
const MAX_SLICES = 30;

/**
 * The architectures of a file, from its first MACH_HEAD_BYTES or from all of them if it is shorter.
 * Null if it is not a Mach-O file.
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

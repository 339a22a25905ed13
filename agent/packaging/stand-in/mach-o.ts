/** The CPU types of Mach-O, with the subtype that all Macs of the type can run. */
const processors = [
  { type: 0x01000007, subtype: 3 }, // x86_64
  { type: 0x0100000c, subtype: 0 }, // arm64
];
/** The page size of Apple silicon; each part of a fat file begins at a page. */
const PAGE = 16_384;

/** A fat Mach-O file for both processors, which cannot run; `content` is in both parts. */
export function standInProgram(content: Buffer): Buffer {
  const parts = processors.map(({ type, subtype }) =>
    Buffer.concat([machHeader(type, subtype), content]),
  );
  const head = Buffer.alloc(PAGE);
  head.writeUInt32BE(0xcafebabe);
  head.writeUInt32BE(parts.length, 4);
  const whole: Buffer[] = [head];
  for (const [i, { type, subtype }] of processors.entries()) {
    const part = parts[i] as Buffer;
    const offset = whole.reduce((sum, { length }) => sum + length, 0);
    for (const [j, field] of [type, subtype, offset, part.length, 14].entries())
      head.writeUInt32BE(field, 8 + i * 20 + j * 4);
    whole.push(part, Buffer.alloc((PAGE - (part.length % PAGE)) % PAGE));
  }
  return Buffer.concat(whole);
}

/** The header of a 64-bit executable without load commands. */
function machHeader(type: number, subtype: number): Buffer {
  const header = Buffer.alloc(32);
  for (const [i, word] of [0xfeedfacf, type, subtype, 2].entries())
    header.writeUInt32LE(word, i * 4);
  return header;
}

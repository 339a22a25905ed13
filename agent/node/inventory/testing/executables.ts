/** Returns a Linux program with one section and the section table. */
export function elf(name: string, content: Buffer): Buffer {
  const names = Buffer.from(`\0${name}\0.shstrtab\0`);
  const head = Buffer.alloc(64);
  head.write('7f454c46020101', 'hex');
  head.writeBigUInt64LE(BigInt(64 + content.length + names.length), 40);
  for (const [at, value] of [
    [58, 64],
    [60, 3],
    [62, 2],
  ] as const)
    head.writeUInt16LE(value, at);
  const section = (title: number, offset: number, size: number) => {
    const bytes = Buffer.alloc(64);
    bytes.writeUInt32LE(title, 0);
    bytes.writeBigUInt64LE(BigInt(offset), 24);
    bytes.writeBigUInt64LE(BigInt(size), 32);
    return bytes;
  };
  const sections = [
    section(0, 0, 0),
    section(1, 64, content.length),
    section(name.length + 2, 64 + content.length, names.length),
  ];
  return Buffer.concat([head, content, names, ...sections]);
}

/** Returns a macOS program: one segment with one section. */
export function macho(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(32);
  head.write('cffaedfe', 'hex');
  head.writeUInt32LE(72 + 80, 20);
  const command = Buffer.alloc(72 + 80);
  command.writeUInt32LE(0x19, 0);
  command.writeUInt32LE(command.length, 4);
  command.write(name, 72, 'latin1');
  command.writeBigUInt64LE(BigInt(content.length), 72 + 40);
  command.writeUInt32LE(head.length + command.length, 72 + 48);
  return Buffer.concat([head, command, content]);
}

/** Returns a file for several processor types, with this program as the first. */
export function universal(program: Buffer): Buffer {
  const head = Buffer.alloc(48);
  head.write('cafebabe', 'hex');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(head.length, 16);
  return Buffer.concat([head, program]);
}

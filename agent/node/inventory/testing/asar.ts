/** An archive as Electron packs it: two lengths, a table of contents, the files. */
export function asar(files: Readonly<Record<string, string>>): Buffer {
  const table: Record<string, { size: number; offset: string }> = {};
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const size = Buffer.byteLength(text);
    table[name] = { size, offset: String(offset) };
    offset += size;
  }
  const json = Buffer.from(JSON.stringify({ files: table }));
  const padded = Math.ceil(json.length / 4) * 4;
  const prefix = Buffer.alloc(16);
  for (const [i, value] of [4, padded + 8, padded + 4, json.length].entries())
    prefix.writeUInt32LE(value, i * 4);
  const rest = Buffer.alloc(padded - json.length);
  return Buffer.concat([prefix, json, rest, Buffer.from(Object.values(files).join(''))]);
}

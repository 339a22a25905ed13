interface Folder {
  files: Record<string, Folder | { size: number; offset: string }>;
}

function folderIn({ files }: Folder, name: string): Folder {
  const found = files[name];
  if (found && 'files' in found) return found;
  const made = { files: {} };
  files[name] = made;
  return made;
}

/** Packs an archive like Electron: two lengths, a table of contents, the files. */
export function asar(files: Readonly<Record<string, string>>): Buffer {
  const table: Folder = { files: {} };
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const folders = path.split('/');
    const name = folders.pop() ?? '';
    const size = Buffer.byteLength(text);
    const folder = folders.reduce((at, part) => folderIn(at, part), table);
    folder.files[name] = { size, offset: String(offset) };
    offset += size;
  }
  const json = Buffer.from(JSON.stringify(table));
  const padded = Math.ceil(json.length / 4) * 4;
  const prefix = Buffer.alloc(16);
  for (const [i, value] of [4, padded + 8, padded + 4, json.length].entries())
    prefix.writeUInt32LE(value, i * 4);
  const rest = Buffer.alloc(padded - json.length);
  return Buffer.concat([prefix, json, rest, Buffer.from(Object.values(files).join(''))]);
}

import { InstallerError } from '../../installer-error.ts';

/** A Bom: numbered blocks of bytes, some of them named. All numbers are big endian. */
export interface BomStore {
  /** @throws InstallerError if the block does not exist or is shorter than `atLeast` */
  block: (number: number, atLeast?: number) => Buffer;
  /**
   * The block of a variable.
   *
   * @throws InstallerError if it is missing
   */
  variable: (name: string) => Buffer;
}

const HEADER_SIZE = 32;

/** @throws InstallerError unless the bytes are a Bom store whose tables are within bounds */
export function openBomStore(bytes: Buffer): BomStore {
  if (bytes.length < HEADER_SIZE || bytes.toString('latin1', 0, 8) !== 'BOMStore')
    throw new InstallerError('does not begin with "BOMStore"');
  const version = bytes.readUInt32BE(8);
  if (version !== 1) throw new InstallerError(`version ${version}, expected 1`);
  const index = slice(bytes, bytes.readUInt32BE(16), bytes.readUInt32BE(20), 'the index');
  const count = index.length < 4 ? -1 : index.readUInt32BE(0);
  if (count < 0 || 4 + count * 8 > index.length)
    throw new InstallerError('the index is shorter than it states');

  function block(number: number, atLeast = 0): Buffer {
    if (number === 0 || number >= count) throw new InstallerError(`there is no block ${number}`);
    const at = 4 + number * 8;
    const content = slice(
      bytes,
      index.readUInt32BE(at),
      index.readUInt32BE(at + 4),
      `block ${number}`,
    );
    if (content.length < atLeast) throw new InstallerError(`block ${number} is too short`);
    return content;
  }

  const variables = readVariables(
    slice(bytes, bytes.readUInt32BE(24), bytes.readUInt32BE(28), 'the table of variables'),
  );
  return {
    block,
    variable(name) {
      const number = variables.get(name);
      if (number === undefined) throw new InstallerError(`there is no ${name}`);
      return block(number);
    },
  };
}

/** Reads the variables: for each, its block, the length of its name, and the name. */
function readVariables(table: Buffer): Map<string, number> {
  const variables = new Map<string, number>();
  const count = table.length < 4 ? 0 : table.readUInt32BE(0);
  let at = 4;
  for (let index = 0; index < count; index += 1) {
    const end = at + 5 + (table[at + 4] ?? 0);
    if (end > table.length) throw new InstallerError('the table of variables is too short');
    variables.set(table.toString('latin1', at + 5, end), table.readUInt32BE(at));
    at = end;
  }
  return variables;
}

function slice(bytes: Buffer, offset: number, length: number, name: string): Buffer {
  if (offset + length > bytes.length) throw new InstallerError(`${name} is out of bounds`);
  return bytes.subarray(offset, offset + length);
}

import { open } from 'node:fs/promises';

const terminator = 1;
const ticketKind = 2;

/**
 * Appends a ticket to a package: a terminator, the ticket, and a trailer with its length. The
 * package's bytes do not change, so its signatures stay valid.
 */
export async function staple(file: string, ticket: Uint8Array): Promise<void> {
  await using handle = await open(file, 'a');
  await handle.appendFile(
    Buffer.concat([trailer(terminator, 0), ticket, trailer(ticketKind, ticket.length)]),
  );
  await handle.sync();
}

/** Sixteen bytes; the only little-endian part of a package. */
function trailer(kind: number, length: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.write('t8lr', 'latin1');
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt16LE(kind, 6);
  bytes.writeUInt32LE(length, 8);
  return bytes;
}

import { open } from 'node:fs/promises';

const terminator = 1;
const ticketKind = 2;

/**
 * Appends a ticket to a package: a terminator, the ticket, a trailer that says how long it is. The
 * package before it stays as it is, so its signatures hold.
 */
export async function staple(file: string, ticket: Uint8Array): Promise<void> {
  await using handle = await open(file, 'a');
  await handle.appendFile(
    Buffer.concat([trailer(terminator, 0), ticket, trailer(ticketKind, ticket.length)]),
  );
  await handle.sync();
}

/** Sixteen bytes; the one part of a package whose numbers are little endian. */
function trailer(kind: number, length: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.write('t8lr', 'latin1');
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt16LE(kind, 6);
  bytes.writeUInt32LE(length, 8);
  return bytes;
}

import { InstallerError } from '../../installer-error.ts';
import type { TicketReport } from '../inspection.ts';
import type { PackageFile } from '../package-file.ts';

/** A notarization ticket appended to the archive. */
export interface StapledTicket {
  /** Offset of its first record in the file. */
  start: number;
  bytes: Buffer;
}

const RECORD_SIZE = 16;
const recordTypes = { terminator: 1, ticket: 2 } as const;
/** A limit in bytes. Real tickets have a few thousand. */
const TICKET_LIMIT = 16 * 1024 * 1024;

/**
 * Finds the data that stapling appends: a record that ends the archive, the ticket, and a record
 * with the ticket's length, so that it can be located from the end of the file. Records are little
 * endian: magic, version, type, length, zero. Returns null if there is no ticket.
 *
 * @throws InstallerError if the ticket is damaged
 */
export async function readTicket(file: PackageFile): Promise<StapledTicket | null> {
  if (file.size < 2 * RECORD_SIZE) return null;
  const trailer = await file.read(file.size - RECORD_SIZE, RECORD_SIZE);
  if (trailer.toString('latin1', 0, 4) !== 't8lr') return null;
  const length = trailer.readUInt32LE(8);
  const start = file.size - length - 2 * RECORD_SIZE;
  if (length > TICKET_LIMIT || start < 0)
    throw new InstallerError(`of ${length} bytes is too long`);
  checkRecord(trailer, 'ticket', length);
  checkRecord(await file.read(start, RECORD_SIZE), 'terminator', 0);
  return { start, bytes: await file.read(start + RECORD_SIZE, length) };
}

/**
 * Describes a ticket without contacting Apple: its format, and whether it contains this checksum.
 */
export const describeTicket = ({ bytes }: StapledTicket, checksum: Buffer): TicketReport => ({
  length: bytes.length,
  // Every ticket of Apple's service has this prefix.
  wellFormed: bytes.toString('latin1', 0, 4) === 's8ch',
  // Tickets identify packages by the first twenty bytes of a digest.
  namesThisPackage: bytes.includes(checksum.subarray(0, 20)),
});

function checkRecord(record: Buffer, type: keyof typeof recordTypes, length: number): void {
  const expected = Buffer.alloc(RECORD_SIZE);
  expected.write('t8lr', 'latin1');
  expected.writeUInt16LE(1, 4);
  expected.writeUInt16LE(recordTypes[type], 6);
  expected.writeUInt32LE(length, 8);
  if (!record.equals(expected)) throw new InstallerError(`damaged ${type} record`);
}

import { open } from 'node:fs/promises';
import { z } from 'zod';
import { SECOND_MS } from '#lib/time-units.ts';
import { InstallerError } from '../installer-error.ts';
import { sendRequest } from '../remote/send-request.ts';
import { type Clock, TransientError, retry, parseJson } from '../remote/retry.ts';
import { oneLine } from '#lib/one-line.ts';

const HEADER_SIZE = 28;
/**
 * The ticket service's number for each checksum algorithm of a package header, with the checksum's
 * length in bytes.
 */
const checksums = new Map([
  [1, { type: 1, size: 20 }],
  [3, { type: 2, size: 32 }],
]);

/**
 * The name of a package's ticket, `2/{digest}/{hex}`, from the first 20 bytes of its TOC checksum.
 */
export async function readTicketName(file: string): Promise<string> {
  await using handle = await open(file);
  const { buffer: header } = await handle.read(Buffer.alloc(HEADER_SIZE), 0, HEADER_SIZE, 0);
  const checksum = checksums.get(header.readUInt32BE(24));
  if (header.toString('latin1', 0, 4) !== 'xar!' || !checksum)
    throw new InstallerError(`${file}: expected a package with a SHA-1 or SHA-256 checksum`);

  const heap = header.readUInt16BE(4) + Number(header.readBigUInt64BE(8));
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(checksum.size),
    0,
    checksum.size,
    heap,
  );
  if (bytesRead < checksum.size) throw new InstallerError(`${file}: the package is truncated`);
  return `2/${checksum.type}/${buffer.toString('hex', 0, 20)}`;
}

/** The prefix of every ticket of Apple's service. */
const TICKET_START = 's8ch';

/**
 * The pauses add up to about five minutes: a ticket is available one or two minutes after the
 * verdict.
 */
const retryDelays = [5, 10, 15, 30, 30, 60, 60, 90].map((seconds) => seconds * SECOND_MS);

const fieldsSchema = z.object({ signedTicket: z.object({ value: z.base64().min(1) }) });
const lookupSchema = z.object({
  records: z
    .array(
      z.object({
        recordName: z.string().optional(),
        serverErrorCode: z.string().optional(),
        fields: fieldsSchema.optional(),
      }),
    )
    .length(1),
});

export interface TicketOptions {
  /** The full address of the lookup. */
  url: string;
  clock: Clock;
  log: (message: string) => void;
}

/**
 * Polls until the ticket exists.
 *
 * @throws InstallerError after some minutes
 */
export async function fetchTicket(name: string, options: TicketOptions): Promise<Buffer> {
  return retry(options.clock, () => lookUp(name, options), retryDelays);
}

async function lookUp(name: string, { url, log }: TicketOptions): Promise<Buffer> {
  const { status, body } = await sendRequest('ticket', url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ records: [{ recordName: name }] }),
  });
  const prefix = `ticket: ${new URL(url).host}`;
  if (status !== 200 && status !== 404) throw new InstallerError(`${prefix} answered ${status}`);
  const record: TicketRecord =
    status === 200 ? readRecord(prefix, body) : { serverErrorCode: 'NOT_FOUND' };
  if (record.fields) return readTicket(prefix, name, record);
  const message = `${prefix} has no ticket yet (${oneLine(record.serverErrorCode ?? 'no reason given')})`;
  log(message);
  throw new TransientError(message);
}

type TicketRecord = z.infer<typeof lookupSchema>['records'][number];

/**
 * Returns the ticket if the record is the requested one and the content has the prefix of tickets.
 */
function readTicket(prefix: string, name: string, { recordName, fields }: TicketRecord): Buffer {
  if (recordName !== name)
    throw new InstallerError(
      `${prefix} returned the ticket of another package (${oneLine(recordName ?? 'no name')})`,
    );
  const ticket = Buffer.from(fields?.signedTicket.value ?? '', 'base64');
  if (ticket.toString('latin1', 0, TICKET_START.length) === TICKET_START) return ticket;
  throw new InstallerError(`${prefix} returned something other than a ticket`);
}

function readRecord(prefix: string, body: Buffer): TicketRecord {
  const { data, success } = lookupSchema.safeParse(parseJson(body));
  if (success) return data.records[0]!;
  throw new InstallerError(`${prefix} did not respond like Apple's ticket service`);
}

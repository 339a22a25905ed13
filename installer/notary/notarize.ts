import { stat, open } from 'node:fs/promises';
import { InstallerError } from '../installer-error.ts';
import { type Clock, TransientError } from '../remote/retry.ts';
import type { NotaryCredentials } from './credentials.ts';
import { createNotaryApi, type NotaryApi, type NotaryStatus } from './notary-api.ts';
import { printLog } from './print-log.ts';
import { fetchTicket, readTicketName } from './ticket.ts';
import { digestFile, uploadPackage } from './upload.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time-units.ts';

const FIRST_PAUSE_MS = 5 * SECOND_MS;
const MAX_PAUSE_MS = 30 * SECOND_MS;
/** Apple takes minutes, or up to an hour for a new team. */
const MAX_WAIT_MS = 120 * MINUTE_MS;
/** The limit is long, because the package is already at Apple and an outage may be temporary. */
const MAX_OUTAGE_MS = 15 * MINUTE_MS;

/**
 * Polls at increasing intervals until there is a verdict, and reports each pending result.
 *
 * @throws InstallerError without a verdict after two hours, or without any response for a quarter
 * of an hour
 */
export async function awaitVerdict(
  api: NotaryApi,
  id: string,
  clock: Clock,
  log: (message: string) => void,
): Promise<Exclude<NotaryStatus, 'In Progress'>> {
  const start = clock.now();
  let respondedAt = start;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    const status = await api.readStatus(id).catch((error: Error) => {
      if (!(error instanceof TransientError) || clock.now() - respondedAt >= MAX_OUTAGE_MS)
        throw error;
      log(error.message);
      return null;
    });
    if (status !== null && status !== 'In Progress') return status;
    if (status !== null) respondedAt = clock.now();
    const waited = clock.now() - start;
    if (waited >= MAX_WAIT_MS)
      throw new InstallerError(`notarization: submission ${id} is still in progress`);
    if (status !== null) log(`notarization: in progress, ${Math.round(waited / SECOND_MS)} s`);
    await clock.sleep(pause);
  }
}

const TERMINATOR = 1;
const TICKET_KIND = 2;

/**
 * Appends a ticket to a package: a terminator, the ticket, and a trailer with its length. The
 * package's bytes do not change, so its signatures stay valid.
 */
export async function staple(file: string, ticket: Uint8Array): Promise<void> {
  await using handle = await open(file, 'a');
  await handle.appendFile(
    Buffer.concat([trailer(TERMINATOR, 0), ticket, trailer(TICKET_KIND, ticket.length)]),
  );
  await handle.sync();
}

/** Encodes a record of sixteen bytes, the only little-endian part of a package. */
function trailer(kind: number, length: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.write('t8lr', 'latin1');
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt16LE(kind, 6);
  bytes.writeUInt32LE(length, 8);
  return bytes;
}

export interface NotarizationOptions {
  credentials: NotaryCredentials;
  notaryUrl: string;
  s3Url: string;
  ticketUrl: string;
  clock: Clock;
  /** The name in Apple's list of submissions. */
  name: string;
}

/**
 * Submits a signed package to Apple's notary and staples the ticket to it. `log` receives progress
 * messages, and the log if Apple rejects the package.
 *
 * @throws InstallerError, in which case the file is unchanged
 */
export async function notarize(
  file: string,
  options: NotarizationOptions,
  log: (message: string) => void,
): Promise<void> {
  const { clock, credentials, notaryUrl, s3Url, ticketUrl } = options;
  const api = createNotaryApi({ url: notaryUrl, credentials, clock });
  const ticketName = await readTicketName(file);
  const sha256 = await digestFile(file);
  const submission = await api.submit(options.name, sha256);
  log(`notarization: submission ${submission.id}`);
  log(`notarization: uploading ${megabytes((await stat(file)).size)} MB`);
  await uploadPackage(file, sha256, submission, { s3Url, clock });
  const verdict = await awaitVerdict(api, submission.id, clock, log);
  if (verdict !== 'Accepted') {
    await printLog(api, submission.id, clock, log);
    throw new InstallerError(`notarization: Apple rejected the package (${verdict})`);
  }
  log('notarization: accepted');
  await staple(file, await fetchTicket(ticketName, { url: ticketUrl, clock, log }));
  log('notarization: ticket stapled');
}

function megabytes(size: number): string {
  return (size / 1_000_000).toFixed(1);
}

import { stat } from 'node:fs/promises';
import { InstallerError } from '../installer-error.ts';
import type { Clock } from '../remote/clock.ts';
import { awaitVerdict } from './await-verdict.ts';
import type { NotaryCredentials } from './credentials.ts';
import { createNotaryApi } from './notary-api.ts';
import { printLog } from './print-log.ts';
import { staple } from './staple.ts';
import { fetchTicket, readTicketName } from './ticket.ts';
import { digestFile, uploadPackage } from './upload.ts';

export interface NotarizationOptions {
  credentials: NotaryCredentials;
  notaryUrl: string;
  s3Url: string;
  ticketUrl: string;
  clock: Clock;
  /** Shown in Apple's list of submissions. */
  name: string;
}

/**
 * Submits a signed package to Apple's notary and staples the ticket to it. `say` receives progress
 * messages, and the log if Apple rejects the package. Throws InstallerError; the file is then
 * unchanged.
 */
export async function notarize(
  file: string,
  options: NotarizationOptions,
  say: (message: string) => void,
): Promise<void> {
  const { clock, credentials, notaryUrl, s3Url, ticketUrl } = options;
  const api = createNotaryApi({ url: notaryUrl, credentials, clock });
  const ticketName = await readTicketName(file);
  const sha256 = await digestFile(file);
  const submission = await api.submit(options.name, sha256);
  say(`notarization: submission ${submission.id}`);
  say(`notarization: uploading ${megabytes((await stat(file)).size)} MB`);
  await uploadPackage(file, sha256, submission, { s3Url, clock });
  const verdict = await awaitVerdict(api, submission.id, clock, say);
  if (verdict !== 'Accepted') {
    await printLog(api, submission.id, clock, say);
    throw new InstallerError(`notarization: Apple rejected the package (${verdict})`);
  }
  say('notarization: accepted');
  await staple(file, await fetchTicket(ticketName, { url: ticketUrl, clock, say }));
  say('notarization: ticket stapled');
}

function megabytes(size: number): string {
  return (size / 1_000_000).toFixed(1);
}

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
  /** What Apple shows for it in its list of submissions. */
  name: string;
}

/**
 * Lets Apple look at a signed package and staples the ticket to it. `say` takes lines on how far it
 * is, and the log where Apple refuses. Throws InstallerError; the file is then as it was.
 */
export async function notarize(
  file: string,
  options: NotarizationOptions,
  say: (line: string) => void,
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
    throw new InstallerError(`notarization: Apple refused the package (${verdict})`);
  }
  say('notarization: accepted');
  await staple(file, await fetchTicket(ticketName, { url: ticketUrl, clock, say }));
  say('notarization: ticket stapled');
}

function megabytes(size: number): string {
  return (size / 1_000_000).toFixed(1);
}

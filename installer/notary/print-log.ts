import { z } from 'zod';
import { InstallerError } from '../installer-error.ts';
import { sendRequest } from '../remote/send-request.ts';
import { type Clock, retry, parseJson } from '../remote/retry.ts';
import { oneLine } from '#lib/one-line.ts';
import type { NotaryApi } from './notary-api.ts';

const logSchema = z.object({
  statusSummary: z.string().nullish(),
  issues: z
    .array(
      z.object({
        severity: z.string().nullish(),
        path: z.string().nullish(),
        message: z.string().nullish(),
        docUrl: z.string().nullish(),
      }),
    )
    .nullish(),
});

const MAX_LOG_BYTES = 16_777_216;

/**
 * Reports Apple's log of a submission, one line per issue. If the log is missing, this is reported
 * too, and the verdict stays visible.
 */
export async function printLog(
  api: NotaryApi,
  id: string,
  clock: Clock,
  log: (message: string) => void,
): Promise<void> {
  const messages = await fetchLog(api, id, clock).catch((error: unknown) => {
    if (error instanceof InstallerError) return [`no log: ${error.message}`];
    throw error;
  });
  for (const message of messages) log(`notarization: ${oneLine(message)}`);
}

async function fetchLog(api: NotaryApi, id: string, clock: Clock): Promise<string[]> {
  const url = await api.readLogUrl(id);
  // The URL itself is the credential. The token must be sent to the notary only.
  const { status, body } = await retry(clock, () =>
    sendRequest('log', url, { limit: MAX_LOG_BYTES }),
  );
  if (status !== 200) throw new InstallerError(`${new URL(url).host} answered ${status}`);
  return describeLog(body);
}

function describeLog(body: Buffer): string[] {
  const log = logSchema.safeParse(parseJson(body)).data;
  if (!log) return ['the log cannot be read'];
  const issues = (log.issues ?? []).map(({ severity, path, message, docUrl }) => {
    const prefix = path ? `${path}: ` : '';
    const more = docUrl ? ` (${docUrl})` : '';
    return `${severity ?? 'issue'}: ${prefix}${message ?? 'no message'}${more}`;
  });
  return log.statusSummary ? [log.statusSummary, ...issues] : issues;
}

import { z } from 'zod';
import { InstallerError } from '../installer-error.ts';
import { ask } from '../remote/ask.ts';
import type { Clock } from '../remote/clock.ts';
import { parseJson } from '../remote/json.ts';
import { oneLine } from '../remote/one-line.ts';
import { retry } from '../remote/retry.ts';
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

const largestLog = 16_777_216;

/**
 * Says what is in Apple's log of a submission, an issue a line. That there is no log is said, too:
 * it hides no verdict.
 */
export async function printLog(
  api: NotaryApi,
  id: string,
  clock: Clock,
  say: (line: string) => void,
): Promise<void> {
  const lines = await fetchLog(api, id, clock).catch((error: unknown) => {
    if (error instanceof InstallerError) return [`no log: ${error.message}`];
    throw error;
  });
  for (const line of lines) say(`notarization: ${oneLine(line)}`);
}

async function fetchLog(api: NotaryApi, id: string, clock: Clock): Promise<string[]> {
  const url = await api.readLogUrl(id);
  // The address itself is the permission: the token is for the notary alone.
  const { status, body } = await retry(clock, () => ask('log', url, { limit: largestLog }));
  if (status !== 200) throw new InstallerError(`${new URL(url).host} answered ${status}`);
  return describeLog(body);
}

function describeLog(body: Buffer): string[] {
  const log = logSchema.safeParse(parseJson(body)).data;
  if (!log) return ['the log cannot be read'];
  const issues = (log.issues ?? []).map(({ severity, path, message, docUrl }) => {
    const where = path ? `${path}: ` : '';
    const more = docUrl ? ` (${docUrl})` : '';
    return `${severity ?? 'issue'}: ${where}${message ?? 'no message'}${more}`;
  });
  return log.statusSummary ? [log.statusSummary, ...issues] : issues;
}

import { t } from '@lingui/core/macro';
import { asSentence } from './describe-error.ts';
import { endSession } from './session.ts';

/**
 * Posts to a route that responds with a file, and saves the file. POST, because browsers send an
 * `Origin` header with it, so that other sites cannot trigger a download.
 *
 * @throws Error with the error of the service as a sentence
 */
export async function download(path: string, body?: object): Promise<void> {
  const response = await fetch(location.origin + path, {
    method: 'POST',
    ...(body && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (response.status === 401) endSession();
  if (!response.ok) throw new Error(await refusalOf(response));
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = nameOf(response.headers.get('Content-Disposition'));
  link.click();
  // By then, the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function refusalOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => ({}))) as { error?: unknown };
  return typeof answer.error === 'string'
    ? asSentence(answer.error)
    : t`The server responded with status ${response.status}`;
}

const nameOf = (disposition: string | null): string =>
  /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'download';

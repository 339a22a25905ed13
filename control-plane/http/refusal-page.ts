import type { IncomingMessage, ServerResponse } from 'node:http';
import { REASON_HEADER } from '#contract/error-codes.ts';
import { refusalOf } from './errors.ts';
import type { HttpContext } from './http-context.ts';
import { sendBytes } from './send.ts';

/** Whether the client displays the response as a page. */
export const acceptsHtml = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.includes('text/html') ?? false;

/**
 * Sends an error page. It is for navigation in a browser, not for requests by the console's code.
 */
export function sendRefusalPage(
  context: HttpContext,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { status, reason, message } = refusalOf(context, error, request, response);
  const name = escaped(context.config.app.name);
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${name}</title>
<h1>${name}</h1>
<p>${escaped(message)}</p>
<p><a href="/">Back</a></p>
</html>
`;
  response.setHeader(REASON_HEADER, reason);
  sendBytes(response, status, page, 'text/html; charset=utf-8');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

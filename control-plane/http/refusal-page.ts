import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { refusalOf } from './errors.ts';
import { sendBytes } from './send.ts';

/** Will a person see the answer, rather than a program? */
export const isShown = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.includes('text/html') ?? false;

/** A refusal where a browser was led to, not the console's code. */
export function sendRefusalPage(
  context: Context,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { status, message } = refusalOf(context, error, request, response);
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

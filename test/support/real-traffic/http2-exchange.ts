import { once } from 'node:events';
import type * as http2 from 'node:http2';
import { constants } from 'node:http2';

/** Echoes the body; the path selects variants. */
export function echo(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
  const path = headers[':path'] ?? '';
  stream.on('error', () => undefined);
  if (path.startsWith('/refused')) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
  if (path.startsWith('/never')) return void stream.resume();
  if (path.startsWith('/push')) push(stream);
  if (path.startsWith('/hints')) stream.additionalHeaders({ ':status': 103, link: '</a>' });
  const echoed = Object.entries(headers).filter(([name]) => name.startsWith('x-'));
  stream.respond({ ...Object.fromEntries(echoed), 'x-path': path }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-trailer': path }));
  stream.pipe(stream);
}

function push(stream: http2.ServerHttp2Stream): void {
  stream.pushStream({ ':path': '/pushed', 'x-pushed': 'a'.repeat(50) }, (error, pushed) => {
    if (error) throw error;
    pushed.respond({ 'x-pushed': 'b'.repeat(50) });
    pushed.end('pushed body');
  });
}

export async function exchange(
  session: http2.ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
  body = '',
): Promise<{
  headers: http2.IncomingHttpHeaders;
  body: string;
  trailers: http2.IncomingHttpHeaders;
}> {
  const stream = session.request({ ':method': 'POST', ...headers });
  const parts: string[] = [];
  let trailers: http2.IncomingHttpHeaders = {};
  stream.setEncoding('latin1');
  stream.on('data', (part: string) => parts.push(part));
  stream.on('trailers', (received) => void (trailers = received));
  stream.end(body, 'latin1');
  const [received] = await once(stream, 'response');
  if (!stream.readableEnded) await once(stream, 'end');
  return { headers: received, body: parts.join(''), trailers };
}

/** Resolves when the stream has closed. Unlike `once`, it does not reject on an error. */
export function closeOf(stream: http2.ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}

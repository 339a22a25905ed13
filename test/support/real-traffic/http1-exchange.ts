import { type Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import { gzipSync } from 'node:zlib';

interface RequestOptions {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string[];
}

interface ReceivedResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  trailers: NodeJS.Dict<string>;
}

/** Creates a server that echoes the body; the path selects variants. */
export const createHttp1Server = () =>
  createServer((incoming, outgoing) => {
    const parts: string[] = [];
    incoming.setEncoding('latin1');
    incoming.on('data', (part: string) => parts.push(part));
    if (incoming.url === '/too-large') {
      outgoing.writeHead(413, { connection: 'close' }).end('too large');
      return;
    }
    incoming.on('end', () => {
      if (incoming.url === '/events') {
        outgoing.writeHead(200, { 'content-type': 'text/event-stream', trailer: 'x-sum' });
        for (let i = 0; i < 50; i++) outgoing.write(`data: ${i}\n\n`);
        outgoing.addTrailers({ 'x-sum': '50' });
        outgoing.end();
      } else if (incoming.url === '/gzip') {
        outgoing.setHeader('content-encoding', 'gzip');
        outgoing.end(gzipSync('x'.repeat(10_000)));
      } else if (incoming.url === '/none') outgoing.writeHead(204).end();
      else if (incoming.url === '/hints') {
        outgoing.writeEarlyHints({ link: '</a>; rel=preload' });
        outgoing.end('hinted');
      } else if (incoming.url === '/close') {
        outgoing.shouldKeepAlive = false;
        outgoing.useChunkedEncodingByDefault = false;
        outgoing.writeHead(200, { 'transfer-encoding': 'identity' }).end('until close');
      } else outgoing.end(parts.join(''), 'latin1');
    });
  });

export function send(
  port: number,
  agent: Agent,
  options: RequestOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const { body = [], ...rest } = options;
    const outgoing = request({ port, host: '127.0.0.1', agent, ...rest }, (incoming) => {
      const parts: string[] = [];
      incoming.setEncoding('latin1');
      incoming.on('data', (part: string) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode,
          headers: incoming.headers,
          body: parts.join(''),
          trailers: incoming.trailers,
        }),
      );
    });
    outgoing.on('error', reject);
    for (const part of body) outgoing.write(part, 'latin1');
    outgoing.end();
  });
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export interface TestServer {
  /** The URL, without a trailing slash. */
  url: string;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts a real HTTP server on loopback. An exception of a handler becomes a 500. */
export async function serve(
  handle: (request: IncomingMessage) => Promise<Reply>,
): Promise<TestServer> {
  const server = createServer((request, response) => {
    const failed = (error: Error): Reply => ({ status: 500, body: error.message });
    void handle(request)
      .catch(failed)
      .then(({ status = 200, headers, body }) => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function json(status: number, value: unknown): Reply {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: JSON.stringify(value) };
}

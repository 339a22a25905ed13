import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { pollUntil } from './processes.ts';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface ReceiverResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Delays the response until this resolves. */
  delayUntil?: Promise<unknown>;
}

export interface HttpReceiver {
  url: string;
  requests: ReceivedRequest[];
  /** Sets the response to the next requests; default: 200 "ok". */
  respondWith(answer: ReceiverResponse): void;
  /** Resolves with all requests to this path once there are this many. */
  waitForRequests(count: number, path?: string): Promise<ReceivedRequest[]>;
  stop(): Promise<void>;
}

/** Starts a webhook receiver on loopback, with TLS if a certificate is given. */
export async function startHttpReceiver(tls?: {
  key: string;
  cert: string;
}): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  let next: ReceiverResponse = { status: 200, body: 'ok' };
  const listener: RequestListener = (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, headers, body: answer, delayUntil } = next;
      await delayUntil;
      response.writeHead(status, headers).end(answer);
    })();
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requestsTo = (path?: string) =>
    requests.filter((one) => path === undefined || one.path === path);
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    respondWith: (answer) => void (next = answer),
    waitForRequests: (count, path) =>
      pollUntil(
        () => Promise.resolve(requestsTo(path)),
        (all) => all.length >= count,
      ),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface ReceivedMail {
  from: string;
  to: string[];
  text: string;
}

export interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** Sets the reply to the content of the next mails; undefined accepts them. */
  rejectWith(reply: { code: number; message: string } | undefined): void;
  waitForMails(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

/** Starts a real SMTP server on loopback. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let rejection: { code: number; message: string } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (rejection)
          return done(
            Object.assign(new Error(rejection.message), { responseCode: rejection.code }),
          );
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, text: Buffer.concat(chunks).toString('utf8') });
        done(null);
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    rejectWith: (reply) => void (rejection = reply),
    waitForMails: (count) =>
      pollUntil(
        () => Promise.resolve(mails),
        (all) => all.length >= count,
      ),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The headers and a text part, without the soft line breaks of quoted-printable. */
export const decodeMail = ({ text }: ReceivedMail): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );

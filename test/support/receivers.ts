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
import { eventually } from './processes.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Delays the response until this resolves. */
  after?: Promise<unknown>;
}

export interface HttpReceiver {
  url: string;
  requests: Received[];
  /** Sets the response to the next requests; default: 200 "ok". */
  answer(answer: Answer): void;
  /** Resolves with all requests to this path once there are this many. */
  received(count: number, path?: string): Promise<Received[]>;
  stop(): Promise<void>;
}

/** Starts a webhook receiver on loopback, with TLS if a certificate is given. */
export async function startHttpReceiver(tls?: {
  key: string;
  cert: string;
}): Promise<HttpReceiver> {
  const requests: Received[] = [];
  let next: Answer = { status: 200, body: 'ok' };
  const listener: RequestListener = (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, headers, body: answer, after } = next;
      await after;
      response.writeHead(status, headers).end(answer);
    })();
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const of = (path?: string) => requests.filter((one) => path === undefined || one.path === path);
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    answer: (answer) => void (next = answer),
    received: (count, path) =>
      eventually(
        () => Promise.resolve(of(path)),
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
  refuse(reply: { code: number; message: string } | undefined): void;
  received(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

/** Starts a real SMTP server on loopback. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: { code: number; message: string } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusal)
          return done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
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
    refuse: (reply) => void (refusal = reply),
    received: (count) =>
      eventually(
        () => Promise.resolve(mails),
        (all) => all.length >= count,
      ),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The headers and a text part, without the soft line breaks of quoted-printable. */
export const decoded = ({ text }: ReceivedMail): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );

import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Stream,
} from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createConnectionObserver } from '#agent/core/capture/wire/connection-observer.ts';
import { createCopyBudget } from '#agent/core/capture/wire/copy-budget.ts';
import type { ObservedExchange } from '#agent/core/capture/wire/exchange.ts';
import type { PolicyRefusal } from '#agent/core/capture/enforcement/refusal.ts';
import { CAPTURED, type Lab, startLab } from '../testing/lab.ts';

const refusal: PolicyRefusal = { policy: 'P', reason: 'no' };
const MESSAGE = `Blocked by your organization's policy "P": no`;
const CHAT = '/v1/chat/completions';
const call = { ':method': 'POST', ':path': CHAT };

type Respond = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

let lab: Lab;
let session: ClientHttp2Session;
/** The bodies that reached the provider. */
let reached: string[];

const respondWithPath: Respond = (stream, headers) => {
  const respond = (body: string): void => {
    reached.push(body);
    stream.respond({ ':status': 200 });
    stream.end(`answer to ${headers[':path']}`);
  };
  text(stream).then(respond, () => undefined);
};

async function startProvider(
  respond: Respond = respondWithPath,
  options: SecureServerOptions = {},
): Promise<Http2SecureServer> {
  const server = createSecureServer({ ...(await lab.certify(CAPTURED)), ...options });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    respond(stream, headers);
  });
  await lab.listen(server);
  return server;
}

function openSession(): ClientHttp2Session {
  const socket = lab.connect(CAPTURED, { ALPNProtocols: ['h2'] }).setNoDelay();
  session = connect(`https://${CAPTURED}`, { createConnection: () => socket });
  return session.on('error', () => undefined);
}

interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

async function responseOf(request: ClientHttp2Stream): Promise<Response> {
  const [headers] = (await once(request, 'response')) as [IncomingHttpHeaders];
  return { status: Number(headers[':status']), headers, body: await text(request) };
}

const sendCall = (body: string, headers: OutgoingHttpHeaders = call): Promise<Response> => {
  const request = session.request(headers, { endStream: body === '' });
  if (body !== '') request.end(body);
  return responseOf(request);
};

const refuseWith = (word: string): void => {
  lab.evaluate = ({ body }) => Promise.resolve(Buffer.concat(body).includes(word) ? refusal : null);
};
const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 5 });

/** Returns the exchanges of the connection, as a capture reports them. */
function observed(): ObservedExchange[] {
  const exchanges: ObservedExchange[] = [];
  const observer = createConnectionObserver('h2', {
    now: () => 0,
    maxBodyBytes: 1024,
    budget: createCopyBudget(1024 * 1024),
    onExchange: (exchange) => exchanges.push(exchange),
    onExcluded: () => undefined,
    onGivenUp: (reason) => expect.unreachable(reason),
  });
  observer.fromClient(Buffer.from(lab.recorded[0]?.fromClient ?? '', 'latin1'));
  observer.fromServer(Buffer.from(lab.recorded[0]?.fromServer ?? '', 'latin1'));
  return exchanges;
}

beforeEach(async () => {
  lab = await startLab();
  lab.config = { ...lab.config, enforce_policies: true };
  reached = [];
});
afterEach(async () => {
  session.destroy();
  await lab[Symbol.asyncDispose]();
});

describe('calls over HTTP/2 with enforced policies', () => {
  test('a refused call is answered on its stream and does not reach the server', async () => {
    await startProvider();
    refuseWith('secret');
    openSession();
    const { status, headers, body } = await sendCall('a secret', { ...call, 'x-mine': 'kept' });
    expect([status, headers['content-type']]).toEqual([403, 'application/json']);
    expect(JSON.parse(body)).toMatchObject({ error: { message: MESSAGE } });
    expect(reached).toEqual([]);
    expect(await sendCall('harmless')).toMatchObject({ status: 200, body: `answer to ${CHAT}` });
    expect(reached).toEqual(['harmless']);
    expect(lab.heldRequests[0]).toMatchObject({
      version: 'h2',
      method: 'POST',
      target: CHAT,
      truncated: false,
    });
    expect(lab.heldRequests[0]?.headers).toContainEqual(['x-mine', 'kept']);
    expect(lab.notices).toEqual([]);
  });

  test('captures show what the client sent and received, and which calls were refused', async () => {
    await startProvider();
    refuseWith('secret');
    openSession();
    await sendCall('harmless');
    await sendCall('a secret');
    await until(() => observed().length === 2);
    const seen = observed().map(({ id, status, request, response }) => ({
      isRefused: lab.recorded[0]?.refused.includes(id),
      status,
      request: Buffer.concat(request.beginning).toString(),
      response: Buffer.concat(response?.beginning ?? []).toString(),
    }));
    expect(seen).toEqual([
      { isRefused: false, status: 200, request: 'harmless', response: `answer to ${CHAT}` },
      {
        isRefused: true,
        status: 403,
        request: 'a secret',
        response: expect.stringContaining('Blocked by'),
      },
    ]);
  });

  test('other requests and calls continue while one is held', async () => {
    await startProvider();
    const verdict = Promise.withResolvers<PolicyRefusal | null>();
    lab.evaluate = ({ body }) =>
      Buffer.concat(body).includes('slow') ? verdict.promise : Promise.resolve(null);
    openSession();
    const held = sendCall('slow');
    await until(() => lab.heldRequests.length === 1);
    expect(await sendCall('', { ':path': '/v1/models' })).toMatchObject({
      body: 'answer to /v1/models',
    });
    expect(await sendCall('fast')).toMatchObject({ body: `answer to ${CHAT}` });
    expect(reached).toEqual(['', 'fast']);
    verdict.resolve(null);
    expect(await held).toMatchObject({ status: 200, body: `answer to ${CHAT}` });
    expect(reached).toEqual(['', 'fast', 'slow']);
  });

  test('a response arrives as sent by the server, with repeated headers, pieces and trailers', async () => {
    await startProvider((stream) => {
      stream.additionalHeaders({ ':status': 103, link: '</x>' });
      stream.respond({ ':status': 200, 'set-cookie': ['a=1', 'b=2'], server: 'them' }, {
        waitForTrailers: true,
        sendDate: false,
      } as never);
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.write('first ');
      stream.once('data', () => stream.end('second'));
    });
    openSession();
    const request = session.request({ ...call, te: 'trailers' }, { waitForTrailers: true });
    const trailers = once(request, 'trailers');
    const early = once(request, 'headers');
    request.on('wantTrailers', () => request.sendTrailers({ 'x-checksum': '1' }));
    request.end('hello');
    const { headers, body } = await responseOf(request);
    expect((await early)[0]).toMatchObject({ ':status': 103, link: '</x>' });
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], server: 'them' });
    expect(headers).not.toHaveProperty('date');
    expect(body).toBe('first second');
    expect((await trailers)[0]).toMatchObject({ 'grpc-status': '0' });
  });

  test('the trailers of a held request arrive', async () => {
    const received = Promise.withResolvers<IncomingHttpHeaders>();
    await startProvider((stream, headers) => {
      stream.on('trailers', received.resolve);
      respondWithPath(stream, headers);
    });
    openSession();
    const request = session.request(call, { waitForTrailers: true });
    request.on('wantTrailers', () => request.sendTrailers({ 'x-checksum': '1' }));
    request.end('hello');
    expect(await responseOf(request)).toMatchObject({ status: 200 });
    expect(await received.promise).toMatchObject({ 'x-checksum': '1' });
  });

  test('a body over a megabyte is evaluated by its beginning, and the rest gets the same decision', async () => {
    await startProvider();
    openSession();
    const body = 'x'.repeat(3 * 1024 * 1024);
    expect(await sendCall(body)).toMatchObject({ status: 200 });
    expect(reached.map(({ length }) => length)).toEqual([body.length]);
    expect(lab.heldRequests[0]).toMatchObject({ truncated: true });
    const checked = Buffer.concat(lab.heldRequests[0]?.body ?? []);
    expect(checked.length).toBe(1024 * 1024);
    lab.evaluate = () => Promise.resolve(refusal);
    expect(await sendCall(body)).toMatchObject({
      status: 403,
      body: expect.stringContaining('Blocked'),
    });
    expect(reached).toHaveLength(1);
  });

  test.each([true, false])(
    'a client that waits for 100 Continue gets it once; refused: %s',
    async (refused) => {
      await startProvider((stream, headers) => {
        stream.additionalHeaders({ ':status': 100 });
        respondWithPath(stream, headers);
      });
      lab.evaluate = () => Promise.resolve(refused ? refusal : null);
      openSession();
      const request = session.request({ ...call, expect: '100-continue' }, { endStream: false });
      let continued = 0;
      request.on('continue', () => {
        continued += 1;
        request.end('hello');
      });
      expect(await responseOf(request)).toMatchObject({ status: refused ? 403 : 200 });
      expect(continued).toBe(1);
      expect(reached).toEqual(refused ? [] : ['hello']);
    },
  );

  test('a held call that the client cancels is not forwarded', async () => {
    await startProvider();
    const verdict = Promise.withResolvers<PolicyRefusal | null>();
    lab.evaluate = () => verdict.promise;
    openSession();
    const request = session.request(call);
    request.on('error', () => undefined).end('abandoned');
    await until(() => lab.heldRequests.length === 1);
    request.close(constants.NGHTTP2_CANCEL);
    await once(request, 'close');
    verdict.resolve(null);
    lab.evaluate = () => Promise.resolve(null);
    expect(await sendCall('next')).toMatchObject({ status: 200 });
    expect(reached).toEqual(['next']);
  });

  test('a stream that one side resets is reset on the other side', async () => {
    const ended: Promise<number | undefined>[] = [];
    await startProvider((stream, headers) => {
      ended.push(new Promise((resolve) => stream.on('close', () => resolve(stream.rstCode))));
      if (headers[':path'] === '/reset') stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      else stream.respond({ ':status': 200 });
    });
    openSession();
    const reset = session.request({ ':path': '/reset' });
    const closed = new Promise((resolve) => reset.on('close', resolve));
    reset.on('error', () => undefined);
    await closed;
    expect(reset.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    const cancelled = session.request(call);
    cancelled.on('error', () => undefined).end('hello');
    await once(cancelled, 'response');
    cancelled.close(constants.NGHTTP2_CANCEL);
    expect(await ended[1]).toBe(constants.NGHTTP2_CANCEL);
  });

  test('a server that responds before it has the whole request stops the upload', async () => {
    await startProvider((stream) => {
      stream.respond({ ':status': 413 });
      stream.end('too large');
      stream.close(constants.NGHTTP2_NO_ERROR);
    });
    openSession();
    const request = session.request({ ':method': 'PUT', ':path': '/v1/files' });
    request.write('the beginning');
    expect(await responseOf(request)).toMatchObject({ status: 413, body: 'too large' });
    await until(() => request.closed);
    expect(request.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });

  test.each(['refuses', 'passes'])(
    'more aborted uploads than the limit on streams; the agent %s them',
    async (verdict) => {
      const tooLarge: Respond = (stream) => {
        stream.respond({ ':status': 413 });
        stream.end('too large');
        stream.close(constants.NGHTTP2_NO_ERROR);
      };
      await startProvider(tooLarge, { settings: { maxConcurrentStreams: 3 } });
      lab.evaluate = () => Promise.resolve(verdict === 'refuses' ? refusal : null);
      openSession();
      for (let i = 0; i < 5; i += 1) {
        const request = session.request(call);
        request.on('error', () => undefined).write('x'.repeat(2 * 1024 * 1024));
        expect(await responseOf(request)).toMatchObject({
          status: verdict === 'refuses' ? 403 : 413,
        });
        await until(() => request.closed);
        expect(request.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
      }
    },
  );

  test("the server's limit on streams applies to the client", async () => {
    await startProvider(respondWithPath, { settings: { maxConcurrentStreams: 7 } });
    openSession();
    await sendCall('');
    await until(() => session.remoteSettings.maxConcurrentStreams === 7);
  });

  test('when a server closes, its open responses finish and the client is notified', async () => {
    await startProvider((stream, headers) => {
      stream.session?.close();
      respondWithPath(stream, headers);
    });
    openSession();
    const closing = once(session, 'goaway');
    expect(await sendCall('last')).toMatchObject({ status: 200 });
    await closing;
    await until(() => lab.interceptor.openCount() === 0);
  });

  test("when a server disconnects, the client's requests end with an error", async () => {
    await startProvider((stream) => stream.session?.destroy());
    openSession();
    const request = session.request(call);
    request.on('error', () => undefined).end('hello');
    await once(request, 'close');
    expect(request.rstCode).not.toBe(constants.NGHTTP2_NO_ERROR);
    await until(() => lab.interceptor.openCount() === 0);
  });

  test('when a client disconnects, its requests to the server end', async () => {
    const ended = Promise.withResolvers<void>();
    await startProvider((stream) => {
      stream.respond({ ':status': 200 });
      stream.on('close', ended.resolve);
    });
    openSession();
    const request = session.request(call);
    request.on('error', () => undefined).end('hello');
    await once(request, 'response');
    session.destroy();
    await ended.promise;
    await until(() => lab.interceptor.openCount() === 0);
  });

  test('after enforcement is switched off, calls on open connections are no longer held', async () => {
    await startProvider();
    lab.evaluate = () => Promise.resolve(refusal);
    openSession();
    expect(await sendCall('one')).toMatchObject({ status: 403 });
    lab.config = { ...lab.config, enforce_policies: false };
    expect(await sendCall('two')).toMatchObject({ status: 200 });
  });
});

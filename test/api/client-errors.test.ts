import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

describe('requests that cannot be parsed', () => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
  });
  afterAll(() => service.stop());

  /** Sends these bytes; returns the status and JSON of the response. */
  const send = (address: string, bytes: string): Promise<[number, unknown]> =>
    new Promise((resolve, reject) => {
      const { protocol, port } = new URL(address);
      const at = { host: '127.0.0.1', port: Number(port) };
      const socket =
        protocol === 'https:' ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => {
        const [head = '', body = ''] = text.split('\r\n\r\n');
        expect(head).toMatch(/\r\nX-Request-Id: /);
        expect(head).toMatch(/\r\nX-Error-Reason: (headers_too_large|malformed_request)\r\n/);
        resolve([Number(head.split(' ')[1]), JSON.parse(body)]);
      });
      socket.write(bytes);
    });

  const longAddress = (path: string) =>
    `GET ${path}?${'model=some-model&'.repeat(2000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const tooLong = 'the URL and headers are too long: expected at most 16384 bytes';

  test('get the reason in one line, on both listeners', async () => {
    const { urls } = service;
    expect(await send(urls.public, longAddress('/api/v1/observability/llm-calls/'))).toEqual([
      431,
      { error: tooLong },
    ]);
    expect(await send(urls.device, longAddress('/api/svc/v1/endpoint/config/'))).toEqual([
      431,
      {
        error: {
          code: 'headers_too_large',
          message: tooLong,
          details: { reason: 'headers_too_large' },
        },
      },
    ]);
    const message = expect.stringMatching(/^malformed HTTP request: \S+/) as string;
    expect(await send(urls.public, 'nonsense\r\n\r\n')).toEqual([400, { error: message }]);
    expect(await send(urls.device, 'nonsense\r\n\r\n')).toEqual([
      400,
      { error: { code: 'bad_request', message, details: { reason: 'malformed_request' } } },
    ]);
    expect((await fetch(`${urls.public}/healthz/`)).status).toBe(200);
  });
});

import { describe, expect, test } from 'vitest';
import { InstallerError } from '../installer-error.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { readBody, serve } from '../testing/serve.ts';
import { readAddress } from '../signing/signing-options.ts';
import { sendRequest } from './send-request.ts';
import { systemClock, TransientError, retry } from './retry.ts';

describe('a request', () => {
  test('is sent as given, and returns status and bytes', async () => {
    await using server = await serve(async (request) => ({
      status: 418,
      body: [request.method, request.headers['x-own'], await readBody(request)].join(' '),
    }));
    const headers = { 'x-own': 'header' };
    const answer = await sendRequest('try', server.url, { method: 'PUT', headers, body: 'body' });
    expect(answer.status).toBe(418);
    expect(answer.body.toString()).toBe('PUT header body');
  });

  test('fails without a response, and if the response breaks off', async () => {
    await using silent = await serve(() => new Promise(() => {}));
    await expect(sendRequest('try', `${silent.url}/secret`, { timeout: 50 })).rejects.toThrow(
      /^try: 127\.0\.0\.1:\d+ cannot be reached \(timeout\)$/,
    );
    await using broken = await serve(async (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
      request.socket.destroySoon();
      return new Promise(() => {});
    });
    await expect(sendRequest('try', broken.url)).rejects.toThrow(
      /^try: 127\.0\.0\.1:\d+ closed the connection early/,
    );
  });

  test('is not redirected to another host', async () => {
    await using server = await serve(async () => ({
      status: 302,
      headers: { location: 'http://127.0.0.1:1/' },
    }));
    expect(await sendRequest('try', server.url)).toMatchObject({ status: 302 });
  });
});

describe('a retry', () => {
  test('is made only after temporary errors', async () => {
    const clock = createFakeClock();
    let attempts = 0;
    const fail = (error: Error) => async () => {
      attempts += 1;
      throw error;
    };
    await expect(retry(clock, fail(new TransientError('busy')), [1, 2])).rejects.toThrow('busy');
    expect([attempts, clock.slept]).toEqual([3, [1, 2]]);
    await expect(retry(clock, fail(new InstallerError('no')), [1, 2])).rejects.toThrow('no');
    expect(attempts).toBe(4);
  });

  test('waits in real time with the system clock', async () => {
    const before = systemClock.now();
    await systemClock.sleep(5);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before + 4);
  });
});

describe('an address', () => {
  test('is http or https, without trailing slashes', () => {
    expect(readAddress('--s3-url', 'https://store.example/a//')).toBe('https://store.example/a');
    for (const value of ['', 'store.example', 'file:///etc/passwd', 'ftp://store.example'])
      expect(() => readAddress('--s3-url', value)).toThrow(
        '--s3-url: expected an http or https URL, found something else',
      );
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBody, serve } from '../testing/serve.ts';
import { createWorkshop, type Workshop } from '../testing/workshop.ts';
import { putFile } from './put-file.ts';

const content = randomBytes(20_000_000);

let workshop: Workshop;
let file: string;
beforeAll(async () => {
  workshop = await createWorkshop();
  file = await workshop.write('large', content);
});
afterAll(() => workshop[Symbol.asyncDispose]());

describe('a file', () => {
  test('is sent completely, with its length and headers', async () => {
    await using server = await serve(async (request) => {
      const body = await readBody(request);
      const { method, headers } = request;
      const digest = createHash('sha256').update(body).digest('hex');
      return { body: [method, headers['content-length'], headers['x-own'], digest].join(' ') };
    });
    const { status, body } = await putFile('put', `${server.url}/a`, file, { 'x-own': 'header' });
    expect(status).toBe(200);
    const digest = createHash('sha256').update(content).digest('hex');
    expect(body.toString()).toBe(`PUT ${content.length} header ${digest}`);
  });

  test('may be answered before it is sent completely', async () => {
    await using server = await serve(async () => ({ status: 403, body: 'no' }));
    const { status, body } = await putFile('put', server.url, file, {});
    expect([status, body.toString()]).toEqual([403, 'no']);
  });

  test('is retried if the server is unreachable or overloaded', async () => {
    const server = await serve(async () => ({ status: 503 }));
    await expect(putFile('put', server.url, file, {})).rejects.toThrow(
      /^put: 127\.0\.0\.1:\d+ answered 503$/,
    );
    await server[Symbol.asyncDispose]();
    await expect(putFile('put', server.url, file, {})).rejects.toThrow(
      /^put: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/,
    );
  });

  test('that shrinks during the upload leaves no request pending', async () => {
    const shrinking = await workshop.write('shrinking', content);
    await using server = await serve(async (request) => {
      await new Promise((resolve) => {
        request.once('data', resolve);
      });
      request.pause();
      await truncate(shrinking, 0);
      return { body: (await readBody(request)).subarray(0, 0) };
    });
    await expect(putFile('put', server.url, shrinking, {})).rejects.toThrow(
      'the package was truncated while it was sent',
    );
  });
});

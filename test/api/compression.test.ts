import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';

const POLICIES = '/svc/v1/policies/';

let service: TestControlPlane;

beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  for (let at = 0; at < 40; at += 1)
    await service.byKey.policies.createPolicy({
      body: { name: `p${at}`, category: 'audit', description: 'What it is for. '.repeat(20) },
    });
});

afterAll(() => service?.stop());

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request without `fetch`, which would decompress the response. */
function get(path: string, encoding?: string): Promise<Answer> {
  const headers = { 'X-Svc-Key': API_KEY, ...(encoding && { 'Accept-Encoding': encoding }) };
  return new Promise((resolve, reject) => {
    request(service.urls.public + path, { headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(pieces),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('long JSON is compressed only for clients that accept it', async () => {
  const [plain, compressed] = [await get(POLICIES), await get(POLICIES, 'br, gzip')];
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(compressed.body.length),
    'content-type': 'application/json; charset=utf-8',
    vary: 'Accept-Encoding',
    'cache-control': 'no-store',
  });
  expect(compressed.body.length).toBeLessThan(plain.body.length / 4);
  expect(gunzipSync(compressed.body).toString()).toBe(plain.body.toString());
});

test('short JSON, such as responses to recording, is not compressed', async () => {
  const { headers } = await get(`${POLICIES}?limit=1`, 'gzip');
  expect(headers['content-encoding']).toBeUndefined();
});

test('files of the console are sent as the build compressed them, and cached indefinitely', async () => {
  const page = (await fetch(service.urls.public)).text();
  const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(await page) ?? [];
  const [plain, gzip, br] = [
    await get(script),
    await get(script, 'gzip'),
    await get(script, 'gzip, br'),
  ];
  for (const { headers } of [plain, gzip, br])
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
  expect(gzip.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
  });
  expect(br.headers['content-encoding']).toBe('br');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(gunzipSync(gzip.body)).toEqual(plain.body);
  expect(brotliDecompressSync(br.body)).toEqual(plain.body);
});

test('a file that the build did not create is not found', async () => {
  expect((await get('/assets/none.js', 'br')).status).toBe(404);
});

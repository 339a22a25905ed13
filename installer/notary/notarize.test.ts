import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { json, serve } from '../testing/serve.ts';
import { createTestNotary, type NotaryOrder, type TestNotary } from '../testing/notary.ts';
import { createTicketService, type TicketService } from '../testing/ticket-service.ts';
import { createWorkshop, type Workshop } from '../testing/workshop.ts';
import { writeArchive } from '../xar/write-archive.ts';
import { notarize, type NotarizationOptions } from './notarize.ts';
import { readTicketName } from './ticket.ts';

const ticket = Buffer.concat([Buffer.from('s8ch'), randomBytes(3000)]);

let workshop: Workshop;
let file: string;
let original: Buffer;
let ticketName: string;
let clock: FakeClock;
beforeAll(async () => {
  workshop = await createWorkshop();
});
beforeEach(async () => {
  clock = createFakeClock();
  file = workshop.path('some.pkg');
  const entries = [{ name: 'Distribution', content: randomBytes(200_000) }];
  await writeArchive(file, { entries, createdAt: 0 });
  original = await readFile(file);
  ticketName = `2/1/${checksumOf(original)}`;
});
afterAll(() => workshop[Symbol.asyncDispose]());

/** SHA-1 of the package's compressed table of contents. */
function checksumOf(bytes: Buffer): string {
  const length = Number(bytes.readBigUInt64BE(8));
  return createHash('sha1')
    .update(bytes.subarray(28, 28 + length))
    .digest('hex');
}

interface Attempt {
  messages: string[];
  /** The error message, or a note that there was no error. */
  end: string;
  notary: TestNotary;
  tickets: TicketService;
}

async function attempt(
  order: Partial<NotaryOrder> = {},
  change: (notary: TestNotary) => Partial<NotarizationOptions> = () => ({}),
  late = 0,
): Promise<Attempt> {
  await using notary = await createTestNotary({ clock, ...order });
  await using tickets = await createTicketService(late);
  tickets.tickets.set(ticketName, ticket);
  const { key, keyId, issuer } = notary;
  const options: NotarizationOptions = {
    credentials: { key, keyId, issuer },
    notaryUrl: notary.url,
    s3Url: notary.store.url,
    ticketUrl: tickets.url,
    clock,
    name: 'some.pkg',
    ...change(notary),
  };
  const messages: string[] = [];
  const end = await notarize(file, options, (message) => messages.push(message)).then(
    () => 'notarized',
    (error: Error) => `${error.name}: ${error.message}`.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'),
  );
  return { messages, end, notary, tickets };
}

describe('a package that Apple accepts', () => {
  test('is uploaded completely, polled until there is a verdict, and stapled', async () => {
    const { end, messages, notary, tickets } = await attempt();
    expect(end).toBe('notarized');
    const sha256 = createHash('sha256').update(original).digest('hex');
    expect([...notary.store.objects.values()]).toEqual([{ size: original.length, sha256 }]);
    expect([...notary.submissions.values()]).toMatchObject([{ name: 'some.pkg', sha256 }]);
    expect(tickets.requests).toEqual([ticketName]);
    expect(messages).toEqual([
      expect.stringMatching(/^notarization: submission [0-9a-f-]{36}$/),
      'notarization: uploading 0.2 MB',
      'notarization: in progress, 0 s',
      'notarization: in progress, 5 s',
      'notarization: accepted',
      'notarization: ticket stapled',
    ]);
  });

  test('has the ticket after its last byte, between a terminator and a trailer', async () => {
    await attempt();
    const stapled = await readFile(file);
    expect(stapled.subarray(0, original.length)).toEqual(original);
    const trailers = stapled.subarray(original.length).toString('hex');
    const length = Buffer.from([ticket.length & 0xff, ticket.length >> 8, 0, 0]).toString('hex');
    expect(trailers).toBe(
      `74386c7201000100${'00'.repeat(8)}${ticket.toString('hex')}74386c7201000200${length}00000000`,
    );
  });

  test('is polled with new tokens, at increasing intervals', async () => {
    const { end, notary } = await attempt({ looks: 100 });
    expect(end).toBe('notarized');
    expect(clock.slept.slice(0, 8)).toEqual(
      [5, 7.5, 11.25, 16.875, 25.3125, 30, 30, 30].map((s) => s * 1000),
    );
    expect(notary.tokens.at(-1)! - notary.tokens[0]!).toBeGreaterThan(40 * 60);
  });

  test('has its ticket polled until it exists', async () => {
    const { end, messages, tickets } = await attempt({ looks: 0 }, undefined, 3);
    expect(end).toBe('notarized');
    expect(tickets.requests).toEqual([ticketName, ticketName, ticketName, ticketName]);
    expect(clock.slept).toEqual([5000, 10_000, 15_000]);
    expect(
      messages.filter((message) => message.includes('has no ticket yet (NOT_FOUND)')),
    ).toHaveLength(3);
  });

  /** Ignores status requests between these minutes. */
  const out = (from: number, to: number): NotaryOrder['intercept'] => {
    const start = clock.now();
    return ({ method, url }) => {
      const minutes = (clock.now() - start) / 60_000;
      const down = method === 'GET' && url?.includes('/submissions/');
      return down && minutes > from && minutes < to ? { status: 503 } : undefined;
    };
  };

  test.each([
    ['at once', 1 / 3, 12, 10],
    ['when a quarter of an hour has passed already', 16, 28, 60],
    ['an hour later', 60, 74, 150],
  ])('survives an outage of some minutes that starts %s', async (_, from, to, looks) => {
    const start = clock.now();
    const { end, messages } = await attempt({ looks, intercept: out(from, to) });
    expect(end).toBe('notarized');
    expect(messages).toContainEqual(expect.stringMatching(/^notarization: 127\S+ answered 503$/));
    expect(clock.now() - start).toBeGreaterThan(to * 60_000);
  });

  test('is abandoned if a later outage lasts for a quarter of an hour', async () => {
    const start = clock.now();
    const { end } = await attempt({ looks: 1000, intercept: out(30, 1000) });
    expect(end).toBe('TransientError: notarization: HOST answered 503');
    // The last response was at most half a minute before the start of the outage.
    expect((clock.now() - start) / 60_000).toBeGreaterThan(44);
    expect((clock.now() - start) / 60_000).toBeLessThan(46);
  });

  test('is abandoned after a quarter of an hour without any response', async () => {
    const intercept: NotaryOrder['intercept'] = ({ method }) =>
      method === 'GET' ? { status: 503 } : undefined;
    const start = clock.now();
    const { end } = await attempt({ intercept });
    expect(end).toBe('TransientError: notarization: HOST answered 503');
    expect((clock.now() - start) / 60_000).toBeCloseTo(15, -1);
    expect(await readFile(file)).toEqual(original);
  });

  test('survives servers that are briefly overloaded', async () => {
    let calls = 0;
    const intercept = () => (calls++ % 2 === 0 ? { status: 503 } : undefined);
    const { end } = await attempt({ intercept }, (notary) => {
      notary.store.failNext(500);
      return {};
    });
    expect(end).toBe('notarized');
  });
});

describe('a failure without a ticket names its reason, and leaves the file unchanged', () => {
  test('a rejection, with one line per issue in the log', async () => {
    const issues = [
      { severity: 'error', path: 'some.pkg/a.app', message: 'is\nnot signed', docUrl: 'https://a' },
      { severity: 'warning', path: null, message: 'old \u001B[31mSDK', docUrl: null },
    ];
    for (const verdict of ['Invalid', 'Rejected'] as const) {
      const { end, messages } = await attempt({ verdict, issues, looks: 0 });
      expect(end).toBe(`InstallerError: notarization: Apple rejected the package (${verdict})`);
      expect(messages.slice(2)).toEqual([
        'notarization: Archive contains critical validation errors',
        'notarization: error: some.pkg/a.app: is not signed (https://a)',
        'notarization: warning: old [31mSDK',
      ]);
      expect(await readFile(file)).toEqual(original);
    }
  });

  test('a rejection without an available log', async () => {
    const intercept: NotaryOrder['intercept'] = ({ url }) =>
      url?.startsWith('/log') ? { status: 403 } : undefined;
    const { end, messages } = await attempt({ verdict: 'Invalid', looks: 0, intercept });
    expect(end).toBe('InstallerError: notarization: Apple rejected the package (Invalid)');
    expect(messages.at(-1)).toMatch(/^notarization: no log: 127\.0\.0\.1:\d+ answered 403$/);
  });

  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const refusedKey =
    'InstallerError: notarization: HOST rejected the key (401): ' +
    'check --notary-key, --notary-key-id and --notary-issuer';

  test.each<[string, Partial<NotarizationOptions['credentials']>]>([
    ['another key', { key: otherKey }],
    ['another key id', { keyId: 'ZZZZZ99999' }],
    ['another issuer', { issuer: '00000000-0000-0000-0000-000000000000' }],
  ])('%s', async (_, wrong) => {
    const { end } = await attempt({}, ({ key, keyId, issuer }) => ({
      credentials: { key, keyId, issuer, ...wrong },
    }));
    expect(end).toBe(refusedKey);
  });

  test('a clock that is wrong by an hour', async () => {
    const { end } = await attempt({ clock: createFakeClock(clock.now() + 3_600_000) });
    expect(end).toBe(refusedKey);
  });

  test.each<[string, NotaryOrder['handOut'], string]>([
    ['a wrong secret', (keys) => ({ ...keys, secretAccessKey: 'x' }), '403, SignatureDoesNotMatch'],
    ['a wrong key', (keys) => ({ ...keys, accessKeyId: 'x' }), '403, InvalidAccessKeyId'],
    ['a wrong session', (keys) => ({ ...keys, sessionToken: 'x' }), '403, InvalidToken'],
  ])('an upload with %s', async (_, handOut, reason) => {
    const { end, notary } = await attempt({ handOut });
    expect(end).toBe(`InstallerError: upload: HOST rejected the package (${reason})`);
    expect(notary.store.objects.size).toBe(0);
  });

  test('a file that changes while it is submitted', async () => {
    const intercept: NotaryOrder['intercept'] = ({ method }) => {
      changing ??= method === 'POST' ? appendFile(file, 'more') : undefined;
      return undefined;
    };
    let changing: Promise<void> | undefined;
    const { end, notary } = await attempt({ intercept });
    await changing;
    expect(end).toBe(
      'InstallerError: upload: HOST rejected the package (400, XAmzContentSHA256Mismatch)',
    );
    expect(notary.store.refusals).toEqual(['XAmzContentSHA256Mismatch']);
  });

  test.each<[string, string, ReturnType<NonNullable<NotaryOrder['intercept']>>]>([
    ['a page', "did not respond like Apple's notary service", { body: '<html>' }],
    ['other JSON', "did not respond like Apple's notary service", { body: '{"data":{}}' }],
    [
      'an agreement to sign',
      'answered 403: Sign it.',
      { status: 403, body: '{"errors":[{"detail":"Sign it."}]}' },
    ],
    ['an error of HTTP', 'answered 404', { status: 404, body: 'Not found' }],
  ])('%s instead of a submission', async (_, message, reply) => {
    const { end } = await attempt({ intercept: () => reply });
    expect(end).toBe(`InstallerError: notarization: HOST ${message}`);
  });

  test('an object that would leave its bucket', async () => {
    const keys = { awsAccessKeyId: 'a', awsSecretAccessKey: 'b', awsSessionToken: 'c' };
    const attributes = { ...keys, bucket: 'bucket', object: '../other/object' };
    const body = JSON.stringify({ data: { id: 'x', attributes } });
    const { end } = await attempt({ intercept: () => ({ body }) });
    expect(end).toBe('InstallerError: upload: the notary returned an invalid object name');
  });

  test('no verdict after two hours, no ticket after five minutes', async () => {
    const { end } = await attempt({ looks: 1000 });
    expect(end).toMatch(
      /^InstallerError: notarization: submission [0-9a-f-]{36} is still in progress$/,
    );
    clock.slept.length = 0;
    const late = await attempt({ looks: 0 }, undefined, 1000);
    expect(late.end).toBe('TransientError: ticket: HOST has no ticket yet (NOT_FOUND)');
    const minutes = clock.slept.reduce((sum, one) => sum + one, 0) / 60_000;
    expect(minutes).toBe(5);
    expect(await readFile(file)).toEqual(original);
  });

  test.each<[string, object, string]>([
    ['that is none', { value: 'anVuaw==' }, 'something other than a ticket'],
    [
      'of another package',
      { name: '2/1/00', value: ticket.toString('base64') },
      'the ticket of another package (2/1/00)',
    ],
  ])('a ticket %s', async (_, { name, value }: { name?: string; value?: string }, message) => {
    await using service = await serve(async () => {
      const record = { recordName: name ?? ticketName, fields: { signedTicket: { value } } };
      return json(200, { records: [record] });
    });
    const { end } = await attempt({ looks: 0 }, () => ({ ticketUrl: service.url }));
    expect(end).toBe(`InstallerError: ticket: HOST returned ${message}`);
    expect(await readFile(file)).toEqual(original);
  });

  test('a server that is not a ticket service', async () => {
    const { end } = await attempt({ looks: 0 }, (notary) => ({ ticketUrl: `${notary.url}/x` }));
    expect(end).toBe('InstallerError: ticket: HOST answered 401');
  });
});

describe('the name of a ticket', () => {
  test('is the checksum of the table of contents, with its algorithm', async () => {
    expect(await readTicketName(file)).toBe(ticketName);
    const sha256 = Buffer.concat([original.subarray(0, 28), Buffer.alloc(60, 7)]);
    sha256.writeUInt32BE(3, 24);
    sha256.writeBigUInt64BE(8n, 8);
    const other = await workshop.write('sha256.pkg', sha256);
    expect(await readTicketName(other)).toBe(`2/2/${'07'.repeat(20)}`);
  });

  test('is rejected for a file that is not a package or is truncated', async () => {
    const text = await workshop.write('text', 'nothing of a package'.repeat(9));
    await expect(readTicketName(text)).rejects.toThrow(
      `${text}: expected a package with a SHA-1 or SHA-256 checksum`,
    );
    const cut = await workshop.write('cut', original.subarray(0, 40));
    await expect(readTicketName(cut)).rejects.toThrow(`${cut}: the package is truncated`);
  });
});

// @module-tag openssl

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeApp } from '../testing/make-app.ts';
import { createTestAuthority } from '../testing/authority.ts';
import { createTestNotary, type NotaryOrder, type TestNotary } from '../testing/notary.ts';
import { createTicketService } from '../testing/ticket-service.ts';
import {
  createTimestampAuthority,
  type TimestampAuthority,
} from '../testing/timestamp-authority.ts';
import { createWorkshop, toPem, type Workshop } from '../testing/workshop.ts';

const PASSWORD_VARIABLE = 'IDENTITY_PASSWORD';
const clock = { now: Date.now, sleep: async () => {} };
/** A ticket in Apple's format, with the prefix, and the checksum from its name. */
const ticketFor = (name: string) =>
  Buffer.concat([Buffer.from('s8ch and what Apple says'), Buffer.from(name.slice(4), 'hex')]);

let workshop: Workshop;
let timestamps: TimestampAuthority;
let out: string;
let identity: string[];
beforeAll(async () => {
  workshop = await createWorkshop();
  makeApp(workshop.path('Gatehouse.app'));
  await mkdir(workshop.path('out'));
  out = workshop.path('out/Gatehouse.pkg');
  const authority = await createTestAuthority();
  const own = await authority.issueInstaller();
  const chain = [authority.authority.certificate, authority.root.certificate];
  const certificates = [own.certificate, ...chain];
  const path = await workshop.writePkcs12('id.p12', {
    key: own.key,
    certificates,
    password: 'x y',
  });
  identity = ['--identity', path, '--identity-password-env', PASSWORD_VARIABLE];
  const signer = await authority.issueTimestamp();
  timestamps = await createTimestampAuthority({ workshop, signer, chain });
  await workshop.write('root.pem', toPem(authority.root.certificate));
  await workshop.write('own.pem', toPem(own.certificate));
});
afterAll(async () => {
  await timestamps[Symbol.asyncDispose]();
  await workshop[Symbol.asyncDispose]();
});

/** Runs the command in its own process. */
function run(...args: string[]) {
  const env = { ...process.env, [PASSWORD_VARIABLE]: 'x y' };
  const command = new URL('../command.ts', import.meta.url).pathname;
  return new Promise<{ code: number; lines: string[]; error: string }>((resolve) => {
    execFile(process.execPath, [command, ...args], { env }, (error, stdout, stderr) => {
      const code = error ? Number(error.code) : 0;
      resolve({ code, lines: stdout.trim().split('\n'), error: stderr });
    });
  });
}

function build(...options: string[]) {
  const app = workshop.path('Gatehouse.app');
  const stamped = ['--timestamp-url', timestamps.url];
  return run(
    'build',
    '--app',
    app,
    '--version',
    '1.2.3',
    '--out',
    out,
    ...identity,
    ...stamped,
    ...options,
  );
}

async function notaryOptions(notary: TestNotary, ticketUrl: string): Promise<string[]> {
  const pem = notary.key.export({ type: 'pkcs8', format: 'pem' });
  const key = await workshop.write('AuthKey.p8', pem);
  const { keyId, issuer, url, store } = notary;
  const keyOptions = ['--notary-key', key, '--notary-key-id', keyId, '--notary-issuer', issuer];
  return [...keyOptions, '--notary-url', url, '--s3-url', store.url, '--ticket-url', ticketUrl];
}

/** The location of the slots in the heap, from the table of contents. */
function readSlots(bytes: Buffer) {
  const length = Number(bytes.readBigUInt64BE(8));
  const packed = bytes.subarray(28, 28 + length);
  const toc = inflateSync(packed).toString('utf8');
  const slot = (style: string) => {
    const found = new RegExp(`style="${style}"><offset>(\\d+)</offset><size>(\\d+)<`);
    const [, offset, size] = found.exec(toc.replaceAll(/>\s+</g, '><'))!.map(Number);
    return bytes.subarray(28 + length + offset!, 28 + length + offset! + size!);
  };
  const checksum = createHash('sha1').update(packed).digest();
  return {
    checksum,
    stored: bytes.subarray(28 + length, 48 + length),
    rsa: slot('RSA'),
    cms: slot('CMS'),
  };
}

describe('a package that is built with an identity', () => {
  test(
    'is signed, timestamped, notarized and stapled, as seen by other tools',
    { tags: ['bsdtar'] },
    async () => {
      await using notary = await createTestNotary({ clock, looks: 0 });
      await using tickets = await createTicketService();
      tickets.tickets.get = ticketFor;
      const built = await build(...(await notaryOptions(notary, tickets.url)));
      expect(built).toMatchObject({ code: 0, error: '' });
      expect(built.lines).toContain('notarization: accepted');

      const bytes = await readFile(out);
      const { checksum, stored, rsa, cms } = readSlots(bytes);
      expect(stored).toEqual(checksum);
      expect(tickets.requests).toEqual([`2/1/${checksum.toString('hex')}`]);
      expect([...notary.submissions.values()]).toMatchObject([{ name: 'Gatehouse.pkg' }]);
      const ticket = ticketFor(tickets.requests[0]!);
      expect(bytes.subarray(-16 - ticket.length, -16)).toEqual(ticket);
      for (const [name, part] of Object.entries({ checksum, rsa, cms }))
        await workshop.write(name, part);
      const verified = [
        'openssl x509 -in own.pem -noout -pubkey -out own.pub',
        'openssl pkeyutl -verify -pubin -inkey own.pub -sigfile rsa -pkeyopt digest:sha1 -in checksum',
        'openssl cms -verify -binary -inform DER -in cms -content checksum -CAfile root.pem ' +
          '-purpose any -ignore_critical -out verified',
        `bsdtar -tf ${out}`,
      ];
      for (const command of verified)
        expect({ command, ...(await workshop.run(command)) }).toMatchObject({ command, ok: true });

      const inspected = await run('inspect', out, '--trust', workshop.path('root.pem'), '--strict');
      expect(inspected).toMatchObject({ code: 0, error: '' });
      expect(built.lines.join('\n')).not.toContain('note:');
    },
  );

  test('reports a team other than the configured one', async () => {
    const built = await build('--timestamp-url', 'none');
    expect(built.lines.join('\n')).not.toContain('note:');
    vi.stubEnv('APPLE_TEAM_ID', 'OTHERTEAM1');
    const other = await build('--timestamp-url', 'none');
    vi.unstubAllEnvs();
    expect(other).toMatchObject({ code: 0, error: '' });
    expect(other.lines).toContain(
      'note: the identity is of team GATEHOUSE1, APPLE_TEAM_ID is OTHERTEAM1',
    );
  });

  test.each<[string, Partial<NotaryOrder>, RegExp]>([
    [
      'refuses',
      { verdict: 'Invalid', issues: [{ severity: 'error', message: 'not signed' }] },
      /^notarization: Apple rejected the package \(Invalid\)\n$/,
    ],
    [
      'hands out wrong keys',
      { handOut: (keys) => ({ ...keys, secretAccessKey: 'x' }) },
      /^upload: 127\.0\.0\.1:\d+ rejected the package \(403, SignatureDoesNotMatch\)\n$/,
    ],
  ])(
    'is not written if the notary %s',
    async (_, order, error) => {
      const folder = workshop.path('none');
      await mkdir(folder, { recursive: true });
      out = `${folder}/Gatehouse.pkg`;
      await using notary = await createTestNotary({ clock, looks: 0, ...order });
      const built = await build(...(await notaryOptions(notary, 'http://127.0.0.1:1/none')));
      expect(built).toMatchObject({ code: 1, error: expect.stringMatching(error) });
      expect(await readdir(folder)).toEqual([]);
      expect(built.lines.join('\n')).toContain(order.issues ? 'error: not signed' : 'uploading');
    },
    60_000,
  );

  test('is not written without a timestamp, or with a wrong password', async () => {
    const folder = workshop.path('none');
    await mkdir(folder, { recursive: true });
    out = `${folder}/Gatehouse.pkg`;
    timestamps.changeNext(() => ({ status: 404 }));
    const unstamped = await build();
    expect(unstamped).toMatchObject({ code: 1 });
    expect(unstamped.error).toMatch(/^timestamp: 127\.0\.0\.1:\d+ answered 404\n$/);
    const closed = await build('--identity-password-env', 'HOME');
    expect(closed).toMatchObject({ code: 1 });
    expect(closed.error).toMatch(/^--identity [^\n]+: the password is wrong\n$/);
    expect(await readdir(folder)).toEqual([]);
  });
});

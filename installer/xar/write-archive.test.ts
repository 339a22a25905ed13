import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, privateEncrypt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PackageSigner } from '../signing/package-signer.ts';
import { type Archive, writeArchive } from './write-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const cms = Buffer.from('a signature in CMS');

/** Signs like a Developer ID, with the checksum as the digest, which is not hashed again. */
const signer: PackageSigner = {
  chain: [Buffer.from('leaf'), Buffer.from('root')],
  rsaSize: 256,
  cmsSize: 64,
  signRsa: (checksum) => {
    const sha1 = Buffer.from('3021300906052b0e03021a05000414', 'hex');
    return privateEncrypt(keys.privateKey, Buffer.concat([sha1, checksum]));
  },
  signCms: async (checksum) => Buffer.concat([cms, checksum]),
};

const text = Buffer.from('<a/>\n'.repeat(100));

/** An archive with every type of content. */
function archive(more: Partial<Archive> = {}): Archive {
  const stored = join(folder, 'stored');
  writeFileSync(stored, 'x'.repeat(3_000_000));
  const sha1 = createHash('sha1').update(readFileSync(stored)).digest('hex');
  return {
    createdAt: 1_700_000_000_999,
    entries: [
      { name: 'Distribution', content: text },
      {
        name: 'a & b.pkg',
        entries: [
          { name: 'Payload', content: { path: stored, size: 3_000_000, sha1 } },
          { name: 'Scripts', content: Buffer.from('as it is'), compressed: true },
        ],
      },
    ],
    ...more,
  };
}

async function write(more: Partial<Archive> = {}) {
  const path = join(folder, 'a.xar');
  await writeArchive(path, archive(more));
  const bytes = readFileSync(path);
  const tocEnd = 28 + Number(bytes.readBigUInt64BE(8));
  const compressed = bytes.subarray(28, tocEnd);
  return { path, bytes, compressed, toc: inflateSync(compressed), heap: bytes.subarray(tocEnd) };
}

describe('a xar archive', () => {
  test('begins with its header, table and the checksum of the compressed table', async () => {
    const { bytes, compressed, toc, heap } = await write();
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('xar!\0\u001c\0\u0001');
    expect(Number(bytes.readBigUInt64BE(16))).toBe(toc.length);
    expect(bytes.readUInt32BE(24)).toBe(1);
    expect(heap.subarray(0, 20)).toEqual(createHash('sha1').update(compressed).digest());
    expect(toc.toString()).toContain('<creation-time>2023-11-14T22:13:20</creation-time>');
    expect(toc.toString()).not.toContain('signature');
  });

  test(
    'has a table that other programs read as zlib and XML',
    { tags: ['python3', 'xmllint'] },
    async () => {
      const { path } = await write();
      const inflate =
        'import sys,zlib;d=open(sys.argv[1],"rb").read();print(zlib.decompress(d[28:]';
      const script = `${inflate}[:int.from_bytes(d[8:16],"big")]).decode())`;
      const xml = execFileSync('python3', ['-c', script, path]);
      const names = execFileSync('xmllint', ['--xpath', '//file/name/text()', '-'], { input: xml });
      expect(names.toString().trim().split('\n')).toEqual([
        'Distribution',
        'a &amp; b.pkg',
        'Payload',
        'Scripts',
      ]);
    },
  );

  test('is extracted by bsdtar and by 7z', { tags: ['bsdtar', '7z'] }, async () => {
    const { path } = await write({ signer });
    for (const [program, ...args] of [
      ['bsdtar', '-xf', path, '-C', join(folder, 'bsdtar')],
      ['7z', 'x', '-bd', `-o${join(folder, '7z')}`, path],
    ] as [string, ...string[]][]) {
      const out = join(folder, program);
      execFileSync('mkdir', [out]);
      execFileSync(program, args);
      expect(readFileSync(join(out, 'Distribution'))).toEqual(text);
      expect(readFileSync(join(out, 'a & b.pkg/Scripts'), 'utf8')).toBe('as it is');
      expect(readFileSync(join(out, 'a & b.pkg/Payload'), 'utf8')).toBe('x'.repeat(3_000_000));
    }
  });

  test('ends at the end of its last file, without gaps between files', async () => {
    for (const signed of [undefined, signer]) {
      const { toc, heap } = await write({ signer: signed });
      const extents = [...toc.toString().matchAll(/<length>(\d+)<\/length><offset>(\d+)</g)];
      let end = signed ? 20 + 256 + 64 : 20;
      for (const [, length, offset] of extents) {
        expect(Number(offset)).toBe(end);
        end += Number(length);
      }
      expect(heap.length).toBe(end);
    }
  });

  test(
    'has both signatures of its checksum, in slots after it',
    { tags: ['openssl'] },
    async () => {
      const { toc, heap } = await write({ signer });
      const checksum = heap.subarray(0, 20);
      const key = join(folder, 'key.pem');
      writeFileSync(key, keys.publicKey.export({ type: 'spki', format: 'pem' }));
      writeFileSync(join(folder, 'checksum'), checksum);
      writeFileSync(join(folder, 'rsa'), heap.subarray(20, 276));
      const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-in', 'checksum'];
      const answer = execFileSync(
        'openssl',
        [...verify, '-sigfile', 'rsa', '-pkeyopt', 'digest:sha1'],
        { cwd: folder },
      );
      expect(answer.toString()).toContain('Signature Verified Successfully');
      expect(heap.subarray(276, 340)).toEqual(
        Buffer.concat([cms, checksum, Buffer.alloc(64 - cms.length - 20)]),
      );
      const chain = '<X509Certificate>bGVhZg==</X509Certificate><X509Certificate>cm9vdA==</X509';
      const keyInfo = `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>${chain}`;
      expect(toc.toString()).toContain(
        `<signature style="RSA"><offset>20</offset><size>256</size>${keyInfo}`,
      );
      expect(toc.toString()).toContain(
        `<x-signature style="CMS"><offset>276</offset><size>64</size>${keyInfo}`,
      );
    },
  );

  test.each([
    ['RSA signature: 8 bytes, but 256 are reserved for it', { signRsa: () => Buffer.alloc(8) }],
    [
      'CMS signature: 65 bytes, but 64 are reserved for it',
      { signCms: async () => Buffer.alloc(65) },
    ],
  ])('is rejected: %s', async (message, change) => {
    await expect(write({ signer: { ...signer, ...change } })).rejects.toThrow(message);
  });

  test('is deterministic', async () => {
    expect((await write()).bytes).toEqual((await write()).bytes);
  });
});

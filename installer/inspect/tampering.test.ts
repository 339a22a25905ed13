// @module-tag openssl

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority } from '../testing/authority.ts';
import { createWorkshop, toPem, type Workshop } from '../testing/workshop.ts';
import { inspectPackage } from './inspect-package.ts';
import { readTrust, type Trust } from './signature/trust.ts';
import { craftArchive } from './testing/craft-archive.ts';
import { craftProduct } from './testing/craft-component.ts';
import { craftSigner, craftToken } from './testing/craft-signer.ts';

let workshop: Workshop;
let whole: Buffer;
let trust: Trust;
/**
 * The last certificate of the timestamp, a copy of the trusted root whose bytes are not verified.
 */
let rootCopy: { start: number; end: number };
beforeAll(async () => {
  workshop = await createWorkshop();
  const authority = await createTestAuthority();
  const chain = [await authority.issueInstaller(), authority.authority, authority.root];
  const signer = await authority.issueTimestamp();
  const timestamp = (signature: Uint8Array) =>
    craftToken(signature, { workshop, signer, chain: chain.slice(1), time: Date.now() });
  whole = await craftArchive({
    files: craftProduct(),
    signer: craftSigner({ chain, timestamp }),
  });
  trust = readTrust(toPem(authority.root.certificate));
  const root = authority.root.certificate.raw;
  const start = whole.lastIndexOf(root);
  rootCopy = { start, end: start + root.length };
});
afterAll(() => workshop[Symbol.asyncDispose]());

let count = 0;
async function inspect(bytes: Uint8Array, strict = true) {
  const path = await workshop.write(`package-${(count += 1) % 8}`, bytes);
  return inspectPackage(path, { trust, strict });
}

const isVouchedFor = (at: number) => at < rootCopy.start || at >= rootCopy.end;
const oneLine = /^[^\n]{3,400}$/;

describe('a package', () => {
  test('is valid before it is modified', async () => {
    expect((await inspect(whole)).problems).toEqual([]);
  });

  test('is rejected after any bit was flipped', async () => {
    const position = fc.nat(whole.length - 1);
    await fc.assert(
      fc.asyncProperty(position, fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(whole);
        changed.writeUInt8((whole[at] as number) ^ (1 << bit), at);
        const { problems, unreferenced } = await inspect(changed, false);
        const reported = isVouchedFor(at) ? problems : [...problems, ...unreferenced];
        expect(reported, `byte ${at}`).not.toEqual([]);
        expect(problems.filter((problem) => !oneLine.test(problem))).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  test('is rejected if truncated anywhere, and with any trailing bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
        expect((await inspect(whole.subarray(0, length))).problems).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (tail) => {
        expect((await inspect(Buffer.concat([whole, tail]))).problems).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('other input', () => {
  test('is rejected with one line', async () => {
    const begin = Buffer.from('78617221001c0001', 'hex');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map((tail) => Buffer.concat([begin, tail])),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const { problems } = await inspect(content);
        expect(problems.length).toBeGreaterThan(0);
        expect(problems.filter((problem) => !oneLine.test(problem))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('is rejected as any part of a package with matching checksums', async () => {
    const part = fc.constantFrom('Bom', 'PackageInfo', 'Payload', 'Scripts', 'Distribution');
    const cut = fc.record({
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      byte: fc.nat(255),
    });
    await fc.assert(
      fc.asyncProperty(part, cut, async (name, { at, byte }) => {
        const files = craftProduct().map((file) => {
          if (!file.path.endsWith(name)) return file;
          const content = Buffer.from(file.content);
          content.writeUInt8(byte, Math.floor(at * content.length));
          return { ...file, content };
        });
        const { problems } = await inspect(await craftArchive({ files }));
        expect(problems[0]).toBeDefined();
        expect(problems.filter((problem) => !oneLine.test(problem))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

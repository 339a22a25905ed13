import 'reflect-metadata';
import { describe, expect, test } from 'vitest';
import { createTestAuthority } from '../../testing/authority.ts';
import { signerExtensions } from '../../testing/certificates.ts';
import type { CraftedToken } from '../testing/craft-signer.ts';
import { setUpSignedInspection } from '../testing/set-up-signed-inspection.ts';

const DAY = 86_400_000;
const world = setUpSignedInspection();
const { now, problemsOf, stamp } = world;

describe('the timestamp', { tags: ['openssl'] }, () => {
  const later = now + 60 * DAY;
  test('keeps the signature of an expired signer valid', async () => {
    expect((await problemsOf({}, { now: later }))[0]).toContain('expired at');
    expect(await problemsOf({ timestamp: stamp() }, { now: later })).toEqual([]);
  });

  test('does not help a signer that had expired before it, or was not valid yet', async () => {
    const past = { notBefore: now - 20 * DAY, notAfter: now - 2 * DAY };
    const signer = await world.authority.issueInstaller(past);
    const chain = [signer, ...world.issuers];
    expect((await problemsOf({ chain, timestamp: stamp() }))[0]).toContain('expired at');
    const early = stamp({ time: now - DAY / 2 });
    const young = await world.authority.issueInstaller({ notBefore: now - DAY / 4 });
    expect((await problemsOf({ chain: [young, ...world.issuers], timestamp: early }))[0]).toContain(
      'is valid from',
    );
  });

  test.each<[string, () => Promise<Partial<CraftedToken>> | Partial<CraftedToken>, string]>([
    ['over something else', () => ({ over: Buffer.from('else') }), 'is for another signature'],
    ['of tomorrow', () => ({ time: now + DAY }), 'in the future'],
    [
      'of before its authority',
      () => ({ time: now - 30 * DAY }),
      'timestamp: "Timestamp Signer" is valid from',
    ],
    [
      'by one that is not for timestamps',
      async () => ({ signer: await world.authority.issueInstaller() }),
      'is not exclusively for timestamping',
    ],
    [
      'by one that is for other things too',
      async () => ({
        signer: await world.authority.issueTimestamp({
          extensions: signerExtensions('1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.3'),
        }),
      }),
      'is not exclusively for timestamping',
    ],
    [
      'by an untrusted authority',
      async () => {
        const other = await createTestAuthority();
        return { signer: await other.issueTimestamp(), chain: [other.authority, other.root] };
      },
      'timestamp: the chain ends at "Test Root CA", which is not trusted',
    ],
    [
      'with more certificates',
      () => ({ chain: [...world.issuers, world.own] }),
      'is not part of its chain',
    ],
  ])('%s is rejected', async (_, token, problem) => {
    const problems = await problemsOf({ timestamp: stamp(await token()) });
    expect(problems.join('\n')).toContain(problem);
  });

  test('that is invalid is rejected', async () => {
    const timestamp = async () => Buffer.from('3003020100', 'hex');
    expect((await problemsOf({ timestamp }))[0]).toContain('timestamp: is damaged');
  });
});

import 'reflect-metadata';
import { afterAll, beforeAll } from 'vitest';
import { createTestAuthority, type TestAuthority } from '../../testing/authority.ts';
import type { TestCertificate } from '../../testing/certificates.ts';
import { createWorkshop, toPem, type Workshop } from '../../testing/workshop.ts';
import type { Inspection } from '../inspection.ts';
import { inspectPackage, type InspectOptions } from '../inspect-package.ts';
import { craftArchive, type CraftedArchive } from './craft-archive.ts';
import { craftProduct } from './craft-component.ts';
import { type CraftedSigner, type CraftedToken, craftSigner, craftToken } from './craft-signer.ts';
import { readTrust, type Trust } from '../signature/trust.ts';

/** Inspects packages with a signature that a test describes. */
export function setUpSignedInspection() {
  const now = Date.now();

  let workshop: Workshop;
  let authority: TestAuthority;
  let own: TestCertificate;
  let timestamps: TestCertificate;
  let trust: Trust;
  /** All issuers above a signer. */
  let issuers: TestCertificate[];
  beforeAll(async () => {
    workshop = await createWorkshop();
    authority = await createTestAuthority();
    own = await authority.issueInstaller();
    timestamps = await authority.issueTimestamp();
    issuers = [authority.authority, authority.root];
    trust = readTrust(toPem(authority.root.certificate));
  });
  afterAll(() => workshop[Symbol.asyncDispose]());

  let count = 0;
  async function inspect(
    signer: Partial<CraftedSigner>,
    options: InspectOptions = {},
    archive: Partial<CraftedArchive> = {},
  ): Promise<Inspection> {
    const bytes = await craftArchive({
      files: craftProduct(),
      signer: craftSigner({ chain: [own, ...issuers], ...signer }),
      ...archive,
    });
    const path = await workshop.write(`package-${(count += 1)}`, bytes);
    return inspectPackage(path, { trust, now, strict: true, ...options });
  }

  const problemsOf = async (...args: Parameters<typeof inspect>) =>
    (await inspect(...args)).problems;

  const stamp =
    (token: Partial<CraftedToken> = {}) =>
    (signature: Uint8Array) =>
      craftToken(signature, { workshop, signer: timestamps, chain: issuers, time: now, ...token });

  return {
    get workshop() {
      return workshop;
    },
    get authority() {
      return authority;
    },
    get own() {
      return own;
    },
    get trust() {
      return trust;
    },
    get issuers() {
      return issuers;
    },
    inspect,
    now,
    problemsOf,
    stamp,
  };
}

import { constants, type KeyObject, privateEncrypt } from 'node:crypto';
import { signDetached } from '#pki/cms/sign.ts';
import type { Identity } from '#pki/pkcs12.ts';
import { InstallerError } from '../installer-error.ts';
import { type Clock, systemClock } from '../remote/retry.ts';
import type { PackageSigner } from './package-signer.ts';
import { APPLE_TIMESTAMP_URL, requestTimestamp } from './timestamp/request.ts';

export interface SignerOptions {
  /** Null for no timestamp: the signature is then valid only as long as the certificate. */
  timestampUrl: string | null;
  clock?: Clock;
}

/** Creates a signer from an identity. The timestamp is requested when the CMS is made. */
export function createSigner(identity: Identity, options: SignerOptions): PackageSigner {
  const { key } = identity;
  const { timestampUrl, clock = systemClock } = options;
  const chain = identity.chain.map(({ raw }) => raw);
  const rsaSize = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  const cmsSize = sizeCmsSlot([...chain, { length: rsaSize }], timestampUrl);
  const timestamp = timestampUrl
    ? (signature: Uint8Array) =>
        requestTimestamp(signature, { url: timestampUrl, clock, signer: identity.chain[0] })
    : undefined;
  return {
    chain,
    rsaSize,
    cmsSize,
    signRsa: (tocChecksum) => signChecksum(key, tocChecksum),
    signCms: async (tocChecksum) => {
      const signer = { key, chain, signingTime: clock.now(), timestamp };
      const signature = await signDetached(tocChecksum, signer);
      if (signature.length <= cmsSize) return signature;
      throw new InstallerError(
        `the CMS signature has ${signature.length} bytes, but ${cmsSize} are reserved for it: ` +
          'the timestamp is too large; try another --timestamp-url',
      );
    },
  };
}

/** The DER of a DigestInfo for SHA-1, up to the digest itself. */
const sha1Info = Buffer.from('3021300906052b0e03021a05000414', 'hex');

/** Signs with PKCS#1 v1.5. The checksum is already a digest, and `sign` would hash it again. */
function signChecksum(key: KeyObject, checksum: Uint8Array): Buffer {
  if (checksum.length !== 20)
    throw new InstallerError(`expected a checksum of 20 bytes (SHA-1), found ${checksum.length}`);

  const info = Buffer.concat([sha1Info, checksum]);
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, info);
}

/** The size of the attributes, the issuer's name and all headers. */
const CMS_OVERHEAD_BYTES = 512;
/**
 * Token sizes in bytes. Apple's tokens have about 4,200. Those of other authorities, with longer
 * keys and chains, have up to 7,000.
 */
const APPLE_TOKEN_BYTES = 4608;
const MAX_TOKEN_BYTES = 8192;
/** The slot size that Apple's own tool reserves. */
const DEFAULT_SLOT_BYTES = 9216;

/**
 * The size of the CMS slot in bytes: the usual size if that suffices, otherwise whole kilobytes.
 */
function sizeCmsSlot(parts: { length: number }[], timestampUrl: string | null): number {
  const token = timestampUrl === APPLE_TIMESTAMP_URL ? APPLE_TOKEN_BYTES : MAX_TOKEN_BYTES;
  const needed = parts.reduce(
    (sum, { length }) => sum + length,
    CMS_OVERHEAD_BYTES + (timestampUrl ? token : 0),
  );
  return Math.max(DEFAULT_SLOT_BYTES, Math.ceil(needed / 1024) * 1024);
}

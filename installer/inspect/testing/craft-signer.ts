import { constants, createHash, privateEncrypt } from 'node:crypto';
import { type BerNode, readBer } from '#pki/cms/ber.ts';
import {
  element,
  nullElement,
  objectIdentifier,
  octetString,
  sequence,
  smallInteger,
} from '#pki/cms/der.ts';
import { signDetached } from '#pki/cms/sign.ts';
import type { PackageSigner } from '../../signing/package-signer.ts';
import type { TestCertificate } from '../../testing/certificates.ts';
import { toPem, type Workshop } from '../../testing/workshop.ts';

export interface CraftedToken {
  workshop: Workshop;
  signer: TestCertificate;
  /** Issuers to include. */
  chain: readonly TestCertificate[];
  /** Milliseconds since 1970. */
  time: number;
  /** The bytes to sign, if different from the signature. */
  over?: Uint8Array;
}

/**
 * Creates an RFC 3161 token with any time and signer, because no real authority issues the tokens
 * that tests need.
 */
export async function craftToken(signature: Uint8Array, token: CraftedToken): Promise<Buffer> {
  const { workshop, signer, chain, time, over = signature } = token;
  const imprint = createHash('sha256').update(over).digest();
  const algorithm = sequence(objectIdentifier('2.16.840.1.101.3.4.2.1'), nullElement());
  const digits = new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const statement = sequence(
    smallInteger(1),
    objectIdentifier('1.2.3.4'),
    sequence(algorithm, octetString(imprint)),
    smallInteger(7),
    element(0x18, Buffer.from(digits)),
  );
  await workshop.write('token-statement', statement);
  await workshop.write('token.key', signer.key.export({ type: 'pkcs8', format: 'pem' }));
  await workshop.write('token.pem', toPem(signer.certificate));
  await workshop.write('token-chain.pem', toPem(...chain.map(({ certificate }) => certificate)));
  const { ok, output } = await workshop.run(
    'openssl cms -sign -binary -nodetach -cades -md sha256 -outform DER ' +
      '-econtent_type 1.2.840.113549.1.9.16.1.4 -in token-statement -signer token.pem ' +
      '-inkey token.key -out token -certfile token-chain.pem',
  );
  if (!ok) throw new Error(`openssl cms: ${output}`);
  return workshop.read('token');
}

export interface CraftedSigner {
  /** The chain, the signer first and its root last. */
  chain: readonly TestCertificate[];
  /** The chain of the CMS signer, if different. */
  cmsChain?: readonly TestCertificate[];
  timestamp?: (signature: Uint8Array) => Promise<Uint8Array>;
  editCms?: (cms: Buffer) => Buffer;
}

const digestInfo = {
  20: '3021300906052b0e03021a05000414',
  32: '3031300d060960864801650304020105000420',
  64: '3051300d060960864801650304020305000440',
} as const;

/** Creates a signer without the checks of the real one. */
export function craftSigner({ chain, cmsChain = chain, ...order }: CraftedSigner): PackageSigner {
  const [own, cmsOwn] = [chain[0] as TestCertificate, cmsChain[0] as TestCertificate];
  const der = (list: readonly TestCertificate[]) => list.map(({ certificate }) => certificate.raw);
  return {
    chain: der(chain),
    rsaSize: 256,
    cmsSize: 12_288,
    signRsa(checksum) {
      const info = Buffer.from(digestInfo[checksum.length as keyof typeof digestInfo], 'hex');
      const padding = constants.RSA_PKCS1_PADDING;
      return privateEncrypt({ key: own.key, padding }, Buffer.concat([info, checksum]));
    },
    async signCms(checksum) {
      const cms = await signDetached(checksum, {
        key: cmsOwn.key,
        chain: der(cmsChain),
        signingTime: Date.UTC(2026, 5, 1),
        ...(order.timestamp ? { timestamp: order.timestamp } : {}),
      });
      return order.editCms?.(cms) ?? cms;
    },
  };
}

/**
 * Re-encodes a value with indefinite lengths, as in the outer layers that Apple writes.
 * Certificates and signed attributes keep their bytes, which are signed.
 */
export function toIndefinite(der: Buffer): Buffer {
  const info = readBer(der);
  const write = (node: BerNode, depth: number): Buffer => {
    if (depth === 0 || node.children.length === 0) return node.raw;
    const children = node.children.map((child) => write(child, depth - 1));
    return Buffer.concat([Buffer.of(node.tag, 0x80), ...children, Buffer.alloc(2)]);
  };
  return write(info, 3);
}

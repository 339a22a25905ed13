import { createHash, KeyObject, sign, webcrypto } from 'node:crypto';
import { keyAlgorithm, signatureAlgorithm } from './keys.ts';

type Subtle = Pick<SubtleCrypto, 'digest' | 'sign'>;

/**
 * The WebCrypto operations used for issuing, executed synchronously. Node's own WebCrypto queues
 * each step in its thread pool, so a database transaction that issues a certificate would wait for
 * unrelated work. A P-256 signature takes less time than the handover to another thread.
 */
const subtle: Subtle = {
  digest(algorithm, data) {
    if (algorithm !== 'SHA-1') throw new Error('expected SHA-1 of a key, for its identifier');
    const digest = createHash('sha1').update(bytesOf(data)).digest();
    return Promise.resolve(new Uint8Array(digest).buffer);
  },
  sign(algorithm, key, data) {
    const { name, hash } = { ...keyAlgorithm, ...signatureAlgorithm };
    const requested = algorithm as { name: string; hash?: string };
    if (requested.name !== name || requested.hash !== hash)
      throw new Error(`expected ${name} with ${hash}`);
    const options = { key: KeyObject.from(key), dsaEncoding: 'ieee-p1363' } as const;
    return Promise.resolve(new Uint8Array(sign('sha256', bytesOf(data), options)).buffer);
  },
};

const bytesOf = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

/** The last argument for the factories of `@peculiar/x509`. */
export const immediateCrypto = Object.create(webcrypto, { subtle: { value: subtle } }) as Crypto;

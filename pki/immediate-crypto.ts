import { createHash, KeyObject, sign, webcrypto } from 'node:crypto';
import { keyAlgorithm, signatureAlgorithm } from './keys.ts';

type Subtle = Pick<SubtleCrypto, 'digest' | 'sign'>;

/**
 * What issuing asks of WebCrypto, done at once by the calling thread: Node's own WebCrypto queues
 * each step for its thread pool, and a database transaction that issues would wait for whatever is
 * before it there. A signature with P-256 takes less time than the way to another thread.
 */
const subtle: Subtle = {
  digest(algorithm, data) {
    if (algorithm !== 'SHA-1') throw new Error('expected the SHA-1 of a key, which names it');
    const digest = createHash('sha1').update(bytesOf(data)).digest();
    return Promise.resolve(new Uint8Array(digest).buffer);
  },
  sign(algorithm, key, data) {
    const { name, hash } = { ...keyAlgorithm, ...signatureAlgorithm };
    const asked = algorithm as { name: string; hash?: string };
    if (asked.name !== name || asked.hash !== hash)
      throw new Error(`expected ${name} with ${hash}`);
    const options = { key: KeyObject.from(key), dsaEncoding: 'ieee-p1363' } as const;
    return Promise.resolve(new Uint8Array(sign('sha256', bytesOf(data), options)).buffer);
  },
};

const bytesOf = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

/** For the last parameter of what `@peculiar/x509` creates. */
export const immediateCrypto = Object.create(webcrypto, { subtle: { value: subtle } }) as Crypto;

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoot } from './authority.ts';
import { orderChain } from './identity-chain.ts';
import { createOpenSsl, type OpenSsl, signWithOpenSsl } from './testing/openssl.ts';

let openssl: OpenSsl;
beforeAll(async () => {
  openssl = await createOpenSsl();
  const root = await createRoot({ name: 'Example root', now: Date.now() });
  await openssl.write('root.pem', root.certificatePem);
  await openssl.write('root.key', root.privateKeyPem);
  const authority = 'basicConstraints=critical,CA:TRUE';
  const noAuthority = 'basicConstraints=critical,CA:FALSE';
  await signWithOpenSsl(openssl, { issuer: 'root', name: 'authority', extensions: authority });
  await signWithOpenSsl(openssl, { issuer: 'authority', name: 'leaf', extensions: noAuthority });
  await signWithOpenSsl(openssl, { issuer: 'leaf', name: 'forged', extensions: noAuthority });
});
afterAll(() => openssl[Symbol.asyncDispose]());

const certificateOf = async (name: string): Promise<X509Certificate> =>
  new X509Certificate(await openssl.read(`${name}.pem`));

/** The names of the chain built from these certificates for the key of one of them. */
async function chainFor(name: string, others: readonly string[]): Promise<string[]> {
  const key = createPrivateKey(await openssl.read(`${name}.key`));
  const certificates = await Promise.all([...others, name].map(certificateOf));
  return orderChain(key, certificates).map(({ subject }) => subject.replace('CN=', ''));
}

test("a chain leads from the key's certificate through authorities to the root", async () => {
  expect(await chainFor('leaf', ['root', 'forged', 'authority'])).toEqual([
    'leaf',
    'authority',
    'Example root',
  ]);
});

test('a certificate signed by a non-CA has no issuer', async () => {
  await expect(chainFor('forged', ['root', 'authority', 'leaf'])).rejects.toThrow(
    'the chain is incomplete: "leaf", the issuer of "forged"',
  );
});

import { expect, test } from 'vitest';
import { ed25519PublicKey } from './ed25519.ts';

// RFC 8032, 7.1, tests 1 and 2
test.each([
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ],
])('the public key of %s', (privateKey, publicKey) => {
  expect(Buffer.from(ed25519PublicKey(Buffer.from(privateKey, 'hex'))).toString('hex')).toBe(
    publicKey,
  );
});

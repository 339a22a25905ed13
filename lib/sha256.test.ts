import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

// csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
test('the hash of FIPS 180-4', () => {
  expect(Buffer.from(sha256(Buffer.from('abc'))).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

import { describe, expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { BASE58_XRP } from './checksums.ts';
import { memberRules } from '../member-rules.ts';
import { privateKey } from './private-key.ts';
import { redactJson } from '../redact-json.ts';
import { randomOf } from '../testing/random.ts';
import { base58Check, bech32Key, bytesOf } from '../testing/wallet-keys.ts';
import { walletKeyFormats } from './wallet-keys.ts';

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const redacted = (value: unknown): string => JSON.stringify(redactJson(value, rules).value);
const random = randomOf(11);

const isKey = (text: string): boolean =>
  privateKey.find(text).some(({ start, end }) => start === 0 && end === text.length);

/** Keys that specifications and documentation publish. */
const published = [
  // en.bitcoin.it/wiki/Wallet_import_format
  '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
  'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617',
  // BIP-32, test vector 1
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  // NIP-19
  'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5',
  // SIP-15
  'suiprivkey1qzwant3kaegmjy4qxex93s0jzvemekkjmyv3r2sjwgnv2y479pgsywhveae',
  // stellar/js-stellar-base
  'SDJHRQF4GCMIIKAAAQ6IHY42X73FQFLHUULAPSKKD4DFDM7UXWWCRHBE',
  // XRPLF/xrpl.js packages/ripple-keypairs
  'sn259rEFXrQrWyx3Q7XneWcwV6dfL',
  'sEdTM1uX8pu2do5XvTnutH6HsouMaM2',
  // octez.tezos.com, the sandbox
  'edsk3gUfUPyBSfrS9CCgmCiQsTCHGkviBDusMxDJstFtojtc1zcpsh',
  'p2sk2obfVMEuPUnadAConLWk7Tf4Dt3n4svSgJwrgpamRqJXvaYcg1',
];

describe('private keys of cryptocurrencies', () => {
  test.each(published)('%s', (key) => {
    for (const text of [
      `Why is ${key} invalid?`,
      `const key = "${key}";`,
      `k=${key}&v=1`,
      `a,${key},b`,
      JSON.stringify({ content: `KEY=\n${key}\n` }),
      JSON.stringify({ args: JSON.stringify({ text: `it is:\n${key}` }) }),
    ])
      expect(redacted(text)).not.toContain(key.slice(2));
    expect(redacted({ note: key })).toBe('{"note":"##PRIVATE_KEY##"}');
  });

  test('every character counts for the checksum', () => {
    for (const key of published)
      for (let at = 0; at < key.length; at += 1) {
        const other = key[at] === 'q' ? 'p' : 'q';
        const changed = key.slice(0, at) + other + key.slice(at + 1);
        expect({ changed, isKey: isKey(changed) }).toEqual({ changed, isKey: false });
      }
  });

  test.each([
    ['Bitcoin', [0x80], 32],
    ['Bitcoin, compressed', [0x80], 33],
    ['testnet', [0xef], 32],
    ['testnet, compressed', [0xef], 33],
    ['Litecoin', [0xb0], 32],
    ['Litecoin, compressed', [0xb0], 33],
    ['Dogecoin', [0x9e], 32],
    ['Dogecoin, compressed', [0x9e], 33],
    ['Dash', [0xcc], 32],
    ['Dash, compressed', [0xcc], 33],
    ['xprv', [0x04, 0x88, 0xad, 0xe4], 74],
    ['yprv', [0x04, 0x9d, 0x78, 0x78], 74],
    ['Yprv', [0x02, 0x95, 0xb0, 0x05], 74],
    ['zprv', [0x04, 0xb2, 0x43, 0x0c], 74],
    ['Zprv', [0x02, 0xaa, 0x7a, 0x99], 74],
    ['tprv', [0x04, 0x35, 0x83, 0x94], 74],
    ['uprv', [0x04, 0x4a, 0x4e, 0x28], 74],
    ['Uprv', [0x02, 0x42, 0x85, 0xb5], 74],
    ['vprv', [0x04, 0x5f, 0x18, 0xbc], 74],
    ['Vprv', [0x02, 0x57, 0x50, 0x48], 74],
    ['Ltpv', [0x01, 0x9d, 0x9c, 0xfe], 74],
    ['Mtpv', [0x01, 0xb2, 0x67, 0x92], 74],
    ['dgpv', [0x02, 0xfa, 0xc3, 0x98], 74],
    ['edsk', [13, 15, 58, 7], 32],
    ['edsk, 64 bytes', [43, 246, 78, 7], 64],
    ['spsk', [17, 162, 224, 201], 32],
    ['p2sk', [16, 81, 238, 189], 32],
  ])('all keys of %s', (_, version, size) => {
    for (let n = 0; n < 50; n += 1) {
      const bytes = bytesOf(random, size);
      if (size === 33) bytes[32] = 1;
      const key = base58Check([...version, ...bytes]);
      expect({ key, isKey: isKey(key) }).toEqual({ key, isKey: true });
    }
  });

  test('all seeds of the XRP Ledger, and keys of Nostr and Sui', () => {
    for (let n = 0; n < 50; n += 1)
      for (const key of [
        base58Check([0x21, ...bytesOf(random, 16)], BASE58_XRP),
        base58Check([0x01, 0xe1, 0x4b, ...bytesOf(random, 16)], BASE58_XRP),
        bech32Key(
          'nsec',
          bytesOf(random, 52).map((byte) => byte & 31),
        ),
        bech32Key(
          'suiprivkey',
          bytesOf(random, 53).map((byte) => byte & 31),
        ),
      ])
        expect({ key, isKey: isKey(key) }).toEqual({ key, isKey: true });
  });

  test('a key after an escape sequence', () => {
    const key = published[1] ?? '';
    expect(privateKey.find(`"a\\n${key}\\nb"`)).toEqual([{ start: 4, end: 4 + key.length }]);
  });

  test('every format names a source', () => {
    for (const { wallet, source } of walletKeyFormats)
      expect({ wallet, source: source.length > 5 }).toEqual({ wallet, source: true });
  });
});

test.each([
  ['an address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['a transaction', '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'],
  ['an address in Bech32', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  [
    'an extended public key',
    'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
  ],
  ['a public key of Nostr', 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg'],
  ['an account of Stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['an account of the XRP Ledger', 'rJrRMgiRgrU6hDF4pgu5DXQdWyPbY35ErN'],
  ['an account of Tezos', 'tz1KqTpEZ7Yob7QbPE4Hy4Wo8fHG8LhKxZSx'],
  ['a content id of IPFS', 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWBXgYk'],
  [
    'a signature of Solana',
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  ],
])('%s stays', (_, text) => {
  expect(privateKey.find(text)).toEqual([]);
  expect(privateKey.find(`see ${text}, or "${text}"`)).toEqual([]);
});

test('random ids of the same lengths and first characters stay', () => {
  for (const { begins, length } of walletKeyFormats)
    for (let n = 0; n < 20; n += 1)
      for (const begin of begins)
        expect(isKey(begin + random.characters('1-9A-HJ-NP-Za-km-z', length - begin.length))).toBe(
          false,
        );
});

import { runsWithin } from '../search/character-runs.ts';
import {
  BASE58_XRP,
  base32Bytes,
  base58Bytes,
  crc16,
  hasBech32Checksum,
  hasDoubleSha256,
} from './checksums.ts';
import { membersOf } from '../search/code-units.ts';
import type { Finding } from '../detector.ts';
import { hexKeyReader } from './hex-keys.ts';
import { isKeyPairInBase58, isLengthOfKeyPair } from './key-pairs.ts';

/** A private key of a cryptocurrency, whose checksum distinguishes it from addresses and hashes. */
export interface WalletKeyFormat {
  wallet: string;
  /** Its possible first characters. */
  begins: readonly string[];
  length: number;
  hasChecksum: (key: string) => boolean;
  source: string;
}

interface Base58Key {
  /** The bytes before the key. */
  version: readonly number[];
  /** The number of bytes between the version and the checksum. */
  size: number;
  /** The last of these bytes, for keys of compressed addresses. */
  last?: number;
  alphabet?: string;
}

const base58 =
  ({ version, size, last, alphabet }: Base58Key) =>
  (key: string): boolean => {
    const bytes = base58Bytes(key, version.length + size + 4, alphabet);
    return (
      bytes !== undefined &&
      version.every((byte, at) => byte === bytes[at]) &&
      (last === undefined || bytes[version.length + size - 1] === last) &&
      hasDoubleSha256(bytes)
    );
  };

/** The wallet import format: the 32 bytes of a key, then 1 if its address is compressed. */
const importFormats = (
  wallet: string,
  version: number,
  [begins, compressed]: readonly [begins: string, compressed: string],
  source: string,
): WalletKeyFormat[] => [
  {
    wallet,
    begins: Array.from(begins),
    length: 51,
    hasChecksum: base58({ version: [version], size: 32 }),
    source,
  },
  {
    wallet,
    begins: Array.from(compressed),
    length: 52,
    hasChecksum: base58({ version: [version], size: 33, last: 1 }),
    source,
  },
];

/** An extended private key (BIP-32), with the version of a coin and a kind of addresses. */
const extended = (wallet: string, begins: string, version: number): WalletKeyFormat => ({
  wallet,
  begins: [begins],
  length: 111,
  hasChecksum: base58({ version: [24, 16, 8, 0].map((bit) => (version >>> bit) & 0xff), size: 74 }),
  source: 'github.com/satoshilabs/slips/blob/master/slip-0132.md',
});

/** A private key of Tezos, by its curve. */
const tezos = (
  curve: string,
  beginning: string,
  length: number,
  key: Base58Key,
): WalletKeyFormat => ({
  wallet: `Tezos, ${curve}`,
  begins: [beginning],
  length,
  hasChecksum: base58(key),
  source: TEZOS,
});

const bech32 = (
  wallet: string,
  prefix: string,
  length: number,
  source: string,
): WalletKeyFormat => ({
  wallet,
  begins: [`${prefix}1`],
  length,
  hasChecksum: (key) => hasBech32Checksum(key, prefix),
  source,
});

/** A seed in Base32: a version, 32 bytes and their CRC-16, the lower byte first. */
function isStellarSeed(key: string): boolean {
  const bytes = base32Bytes(key);
  return (
    bytes !== undefined &&
    bytes[0] === STELLAR_SEED &&
    crc16(bytes.slice(0, -2)) === (bytes.at(-2) ?? 0) + 256 * (bytes.at(-1) ?? 0)
  );
}

const STELLAR_SEED = 18 << 3;

const XRP = 'xrpl.org/docs/references/protocol/data-types/base58-encodings';
const TEZOS = 'gitlab.com/tezos/tezos src/lib_crypto/base58.ml';

export const walletKeyFormats: readonly WalletKeyFormat[] = [
  ...importFormats('Bitcoin', 0x80, ['5', 'KL'], 'en.bitcoin.it/wiki/Wallet_import_format'),
  ...importFormats(
    'Bitcoin, test networks',
    0xef,
    ['9', 'c'],
    'en.bitcoin.it/wiki/List_of_address_prefixes',
  ),
  ...importFormats(
    'Litecoin',
    0xb0,
    ['6', 'T'],
    'github.com/litecoin-project/litecoin src/chainparams.cpp',
  ),
  ...importFormats(
    'Dogecoin',
    0x9e,
    ['6', 'Q'],
    'github.com/dogecoin/dogecoin src/chainparams.cpp',
  ),
  ...importFormats('Dash', 0xcc, ['7', 'X'], 'github.com/dashpay/dash src/chainparams.cpp'),
  extended('Bitcoin', 'xprv', 0x04_88_ad_e4),
  extended('Bitcoin', 'yprv', 0x04_9d_78_78),
  extended('Bitcoin', 'Yprv', 0x02_95_b0_05),
  extended('Bitcoin', 'zprv', 0x04_b2_43_0c),
  extended('Bitcoin', 'Zprv', 0x02_aa_7a_99),
  extended('Bitcoin, test networks', 'tprv', 0x04_35_83_94),
  extended('Bitcoin, test networks', 'uprv', 0x04_4a_4e_28),
  extended('Bitcoin, test networks', 'Uprv', 0x02_42_85_b5),
  extended('Bitcoin, test networks', 'vprv', 0x04_5f_18_bc),
  extended('Bitcoin, test networks', 'Vprv', 0x02_57_50_48),
  extended('Litecoin', 'Ltpv', 0x01_9d_9c_fe),
  extended('Litecoin', 'Mtpv', 0x01_b2_67_92),
  extended('Dogecoin', 'dgpv', 0x02_fa_c3_98),
  {
    wallet: 'XRP',
    begins: ['s'],
    length: 29,
    hasChecksum: base58({ version: [0x21], size: 16, alphabet: BASE58_XRP }),
    source: XRP,
  },
  {
    wallet: 'XRP, Ed25519',
    begins: ['sEd'],
    length: 31,
    hasChecksum: base58({ version: [0x01, 0xe1, 0x4b], size: 16, alphabet: BASE58_XRP }),
    source: XRP,
  },
  tezos('Ed25519', 'edsk', 54, { version: [13, 15, 58, 7], size: 32 }),
  tezos('Ed25519 with the public key', 'edsk', 98, { version: [43, 246, 78, 7], size: 64 }),
  tezos('secp256k1', 'spsk', 54, { version: [17, 162, 224, 201], size: 32 }),
  tezos('P-256', 'p2sk', 54, { version: [16, 81, 238, 189], size: 32 }),
  bech32('Nostr', 'nsec', 63, 'github.com/nostr-protocol/nips/blob/master/19.md'),
  bech32('Sui', 'suiprivkey', 70, 'github.com/sui-foundation/sips/blob/main/sips/sip-15.md'),
  {
    wallet: 'Stellar',
    begins: ['S'],
    length: 56,
    hasChecksum: isStellarSeed,
    source: 'github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md',
  },
];

const byLength = Map.groupBy(walletKeyFormats, ({ length }) => length);
const MIN_LENGTH = Math.min(...byLength.keys());

const isKeyCharacter = membersOf(/[A-Za-z0-9]/);

/** Adds the keys among the words of a run. */
function addWalletKeys(
  findings: Finding[],
  text: string,
  run: Finding,
  isHexKey: ReturnType<typeof hexKeyReader>,
): void {
  for (const { start, end } of runsWithin(text, run, isKeyCharacter, MIN_LENGTH)) {
    // After a backslash, the first letter is part of an escape sequence: `\n`.
    const first = start + Number(text[start - 1] === '\\');
    if (isWalletKey(text, first, end) || isHexKey(first, end)) findings.push({ start: first, end });
  }
}

const isWalletKey = (text: string, start: number, end: number): boolean =>
  (byLength
    .get(end - start)
    ?.some(
      ({ begins, hasChecksum }) =>
        begins.some((prefix) => text.startsWith(prefix, start)) &&
        hasChecksum(text.slice(start, end)),
    ) ??
    false) ||
  (isLengthOfKeyPair(end - start) && isKeyPairInBase58(text.slice(start, end)));

/** The private keys of cryptocurrencies in these runs of key characters. */
export function findWalletKeys(text: string, keyRuns: readonly Finding[]): Finding[] {
  const findings: Finding[] = [];
  const isHexKey = hexKeyReader(text);
  for (const run of keyRuns) addWalletKeys(findings, text, run, isHexKey);
  return findings;
}

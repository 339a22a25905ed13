import { sha256 } from '#lib/sha256.ts';

/** The digits of Base58, in the order of most coins and in that of the XRP Ledger. */
export const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const BASE58_XRP = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** The number that text of Base58 writes, in this many bytes, or undefined if it does not fit. */
export function base58Bytes(
  text: string,
  size: number,
  alphabet: string = BASE58,
): Uint8Array | undefined {
  const bytes = new Uint8Array(size);
  for (const character of text) {
    let carry = alphabet.indexOf(character);
    if (carry === -1) return undefined;
    for (let at = size - 1; at >= 0; at -= 1) {
      carry += (bytes[at] ?? 0) * 58;
      bytes[at] = carry & 0xff;
      carry >>= 8;
    }
    if (carry !== 0) return undefined;
  }
  return bytes;
}

const CHECKSUM_SIZE = 4;

/** Whether the last four bytes are the start of the double SHA-256 of the others (Base58Check). */
export function hasDoubleSha256(bytes: Uint8Array): boolean {
  const end = bytes.length - CHECKSUM_SIZE;
  const sum = sha256(sha256(bytes.subarray(0, end)));
  return bytes.subarray(end).every((byte, at) => byte === sum[at]);
}

const GENERATORS = [0x3b_6a_57_b2, 0x26_50_8e_6d, 0x1e_a1_19_fa, 0x3d_42_33_dd, 0x2a_14_62_b3];

/** Whether a text in lower case has the checksum of Bech32 (BIP-173). `prefix` excludes the `1`. */
export function hasBech32Checksum(text: string, prefix: string): boolean {
  let sum = 1;
  const add = (value: number): void => {
    const top = sum >>> 25;
    sum = ((sum & 0x1_ff_ff_ff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >>> bit) & 1) sum ^= generator;
  };
  for (let at = 0; at < prefix.length; at += 1) add(prefix.charCodeAt(at) >> 5);
  add(0);
  for (let at = 0; at < prefix.length; at += 1) add(prefix.charCodeAt(at) & 31);
  for (const character of text.slice(prefix.length + 1)) {
    const value = BECH32.indexOf(character);
    if (value === -1) return false;
    add(value);
  }
  return sum === 1;
}

/** The bytes of Base32 in upper case (RFC 4648) without padding, or undefined for other text. */
export function base32Bytes(text: string): number[] | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of text) {
    const value = BASE32.indexOf(character);
    if (value === -1) return undefined;
    bits = ((bits << 5) | value) & 0xff_ff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return bytes;
}

/** CRC-16 with the polynomial of XMODEM, 0x1021. */
export function crc16(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x80_00 ? 0x1_10_21 : 0);
  }
  return crc;
}

/** Base32 with lower-case letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

export const AZURE_DEVOPS_TOKEN_LENGTH = 52;

/** The seeds of tokens of users and of applications. */
const SEEDS = [0xe0_b9_69_2d, 0x10_19_f9_2e];

/** The places of the four bytes of the checksum, the lowest byte first. */
const CHECKSUM_AT = [22, 8, 7, 2];

const POLYNOMIAL = 0xed_b8_83_20;

function crc32(bytes: readonly number[]): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
  }
  return ~crc >>> 0;
}

function bytesOf(text: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of text) {
    bits = ((bits << 5) | ALPHABET.indexOf(character)) & 0xff_ff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return bytes;
}

/**
 * Whether a text of Base32 is a personal access token of Azure DevOps in the format before
 * 2024, which has no prefix but a checksum: CRC-32 of the other bytes and a seed. Source:
 * microsoft/security-utilities@638ad20e
 * `src/Microsoft.Security.Utilities.Core/PreciselyClassifiedSecurityKeys/SEC101_102_AdoPat.cs`
 */
export function isAzureDevopsToken(text: string): boolean {
  if (text.length !== AZURE_DEVOPS_TOKEN_LENGTH) return false;
  const bytes = bytesOf(text);
  const checksum = CHECKSUM_AT.reduce(
    (sum, at, index) => sum + (bytes[at] ?? 0) * 2 ** (8 * index),
    0,
  );
  const crc = crc32(bytes.filter((_, at) => !CHECKSUM_AT.includes(at)));
  return SEEDS.some((seed) => (crc ^ seed) >>> 0 === checksum);
}

import type { CpioEntry } from './cpio.ts';
import type { PackageInfo } from './package-info.ts';

/** Disk block size: some tools count allocated bytes, others content bytes. */
const blockSize = 4096;

/** Statements in PackageInfo that do not match the payload. */
export function checkStatedSizes(
  stated: NonNullable<PackageInfo['payload']>,
  entries: readonly CpioEntry[],
): string[] {
  const problems: string[] = [];
  if (stated.files !== entries.length)
    problems.push(`numberOfFiles ${stated.files} differs from ${entries.length} in Payload`);
  const least = Math.floor(totalSize(entries) / 1024);
  const most = entries.reduce((sum, entry) => sum + blocksOf(entry) * (blockSize / 1024), 0);
  if (stated.kilobytes < least || stated.kilobytes > most)
    problems.push(`installKBytes ${stated.kilobytes} is not between ${least} and ${most}`);
  return problems;
}

export const totalSize = (entries: readonly CpioEntry[]): number =>
  entries.reduce((sum, { size }) => sum + size, 0);

const blocksOf = ({ size }: CpioEntry) => Math.max(1, Math.ceil(size / blockSize));

import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { errnoOf } from '../state/atomic-file.ts';
import type { UnsealResult } from './sealer.ts';

/** How the TPM is reached: a TCTI of tpm2-tools, and the group in which the tools run, if another. */
export interface TpmAccess {
  tcti: string;
  gid?: number;
}

/** Returns how a TPM can be used, or why it cannot. `tpm` is the path of a device or a TCTI. */
export function findTpmAccess(
  tpm: string,
): { access: TpmAccess } | { obstacle: Extract<UnsealResult, { reason: string }> } {
  if (!tpm.startsWith('/')) return { access: { tcti: tpm } };
  const tcti = `device:${tpm}`;
  try {
    const gid = canOpen(tpm) ? null : groupForRoot(statSync(tpm), process.getuid?.());
    return gid === undefined
      ? { obstacle: { kind: 'unavailable', reason: `this user may not use ${tpm}` } }
      : { access: gid === null ? { tcti } : { tcti, gid } };
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    const reason = `this computer has no TPM 2.0: there is no ${tpm}`;
    return { obstacle: { kind: 'absent', reason } };
  }
}

function canOpen(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the group with which root can open a device that belongs to another user, without the
 * privilege to ignore permissions. On Debian 12, `/dev/tpmrm0` belongs to user and group `tss`
 * (tpm2-software/tpm2-tss#2292).
 */
export function groupForRoot(
  { gid, mode }: Pick<Stats, 'gid' | 'mode'>,
  uid: number | undefined,
): number | undefined {
  const isForGroup = (mode & 0o060) === 0o060;
  return uid === 0 && isForGroup ? gid : undefined;
}

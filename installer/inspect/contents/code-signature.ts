import type { CodeSignatureReport } from '../inspection.ts';
import { parsePlist } from '../../bundle/info-plist.ts';

/** Parses a property list. Returns null if it is invalid. */
export function readPlist(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value = parsePlist(bytes, '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const header = { bytes: 32, commands: 16 };
const CODE_SIGNATURE_COMMAND = 0x1d;

/** Magic numbers of blobs (cs_blobs.h of Apple's xnu). */
const SUPER_BLOB = 0xfade0cc0;
const codeDirectory = { slot: 0, magic: 0xfade0c02 };
const entitlements = { slot: 5, magic: 0xfade7171 };
const RUNTIME_FLAG = 0x10000;
const AD_HOC_FLAG = 0x2;
const VERSION_WITH_TEAM = 0x20200;

/**
 * Reads the code signature embedded in a program for one processor, without verifying it. Returns
 * null if there is none, or it cannot be read.
 */
export function readCodeSignature(program: Buffer): CodeSignatureReport | null {
  try {
    const blobs = findBlobs(program);
    const directory = blobs?.get(codeDirectory.slot);
    if (!blobs || directory?.readUInt32BE(0) !== codeDirectory.magic) return null;
    const flags = directory.readUInt32BE(12);
    const hasTeam = directory.readUInt32BE(8) >= VERSION_WITH_TEAM;
    const teamAt = hasTeam ? directory.readUInt32BE(48) : 0;
    return {
      identifier: textAt(directory, directory.readUInt32BE(20)),
      teamId: teamAt > 0 ? textAt(directory, teamAt) : null,
      hardenedRuntime: (flags & RUNTIME_FLAG) !== 0,
      adHoc: (flags & AD_HOC_FLAG) !== 0,
      entitlements: readEntitlements(blobs.get(entitlements.slot)),
    };
  } catch (error) {
    // The signature is out of bounds, so no verifier would accept it.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Finds the blobs of the signature, by slot. */
function findBlobs(program: Buffer): Map<number, Buffer> | null {
  const range = findSignature(program);
  if (!range || range.readUInt32BE(0) !== SUPER_BLOB) return null;
  const blobs = new Map<number, Buffer>();
  for (let i = 0; i < Math.min(range.readUInt32BE(8), 32); i += 1) {
    const [slot, at] = [range.readUInt32BE(12 + i * 8), range.readUInt32BE(16 + i * 8)];
    blobs.set(slot, range.subarray(at, at + range.readUInt32BE(at + 4)));
  }
  return blobs;
}

function findSignature(program: Buffer): Buffer | null {
  let at = header.bytes;
  for (let left = program.readUInt32LE(header.commands); left > 0; left -= 1) {
    const [command, size] = [program.readUInt32LE(at), program.readUInt32LE(at + 4)];
    if (command === CODE_SIGNATURE_COMMAND) {
      const offset = program.readUInt32LE(at + 8);
      return program.subarray(offset, offset + program.readUInt32LE(at + 12));
    }
    if (size === 0) return null;
    at += size;
  }
  return null;
}

function textAt(blob: Buffer, at: number): string {
  const end = blob.indexOf(0, at);
  return blob.toString('utf8', at, end < 0 ? blob.length : end);
}

/** Formats entitlements as `name`, or as `name=value` unless the value is true. */
function readEntitlements(blob: Buffer | undefined): string[] {
  if (blob?.readUInt32BE(0) !== entitlements.magic) return [];
  const values = readPlist(blob.subarray(8)) ?? {};
  return Object.entries(values).map(([name, value]) =>
    value === true ? name : `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`,
  );
}

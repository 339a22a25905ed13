import { createHash } from 'node:crypto';
import type { CheckedInput } from '../profile-input.ts';

export interface PlistDictionary {
  [key: string]: PlistEntry;
}
export type PlistEntry = string | number | boolean | Uint8Array | PlistEntry[] | PlistDictionary;

export interface PayloadTitle {
  type: string;
  /** Identifies the payload within the profile; empty for the profile itself. */
  name: string;
  title: string;
  description: string;
}

/**
 * The keys that every payload has. A device replaces a payload that has the same identifier and
 * UUID, so both derive from the service and the payload's name, never from its content.
 */
export function commonKeys(input: CheckedInput, payload: PayloadTitle): PlistDictionary {
  const { apiUrl, bundleId, organization } = input;
  return {
    PayloadType: payload.type,
    PayloadVersion: 1,
    PayloadIdentifier: [bundleId, 'profile', payload.name].filter((part) => part !== '').join('.'),
    PayloadUUID: uuidFor(`${canonical(apiUrl)} ${bundleId} ${payload.name}`),
    PayloadDisplayName: payload.title,
    PayloadDescription: payload.description,
    ...(organization === undefined ? {} : { PayloadOrganization: organization }),
  };
}

/**
 * The canonical form of a URL: case of the host, default port and slash make no difference to the
 * tenant.
 */
function canonical(apiUrl: string): string {
  const { origin, pathname } = new URL(apiUrl);
  return origin + pathname.replace(/\/+$/, '');
}

/** The namespace for URLs in RFC 9562. */
const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** A UUIDv5 in upper case, the format of Apple's tools. */
export function uuidFor(name: string): string {
  const bytes = createHash('sha1').update(urlNamespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    .toUpperCase();
}

/**
 * The bundle id of the transparent proxy, which is also the preference domain of the managed
 * configuration.
 */
export const proxyExtension = (bundleId: string): string => `${bundleId}.proxymonitor`;

/** The bundle id of the content filter, which observes flows and lets them pass. */
export const filterExtension = (bundleId: string): string => `${bundleId}.flowmonitor`;

/** The certificate extension of Apple's "Developer ID" authority. */
const DEVELOPER_ID_AUTHORITY = 'certificate 1[field.1.2.840.113635.100.6.2.6] /* exists */';
/** The certificate extension of certificates that sign applications. */
const DEVELOPER_ID_APPLICATION = 'certificate leaf[field.1.2.840.113635.100.6.1.13] /* exists */';

/**
 * The designated requirement of code signed with the team's "Developer ID Application" certificate,
 * in the format of `codesign -d -r-`: a word that begins with a digit is quoted.
 */
export function codeRequirement(identifier: string, teamId: string): string {
  const team = /^\d/.test(teamId) ? `"${teamId}"` : teamId;
  return [
    `identifier "${identifier}"`,
    'anchor apple generic',
    DEVELOPER_ID_AUTHORITY,
    DEVELOPER_ID_APPLICATION,
    `certificate leaf[subject.OU] = ${team}`,
  ].join(' and ');
}

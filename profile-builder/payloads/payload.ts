import type { CheckedInput } from '../profile-input.ts';
import { uuidFor } from './uuid.ts';

export type PlistDictionary = { [key: string]: PlistEntry };
export type PlistEntry = string | number | boolean | Uint8Array | PlistEntry[] | PlistDictionary;

export interface PayloadTitle {
  type: string;
  /** Which payload of the profile this is; empty for the profile itself. */
  name: string;
  title: string;
  description: string;
}

/**
 * The keys that every payload has. A device replaces a payload when identifier and UUID are those
 * of one that it has, so both follow from whose payload it is and which, never from its content.
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

/** The same address written otherwise is the same tenant: case of the host, default port, slash. */
function canonical(apiUrl: string): string {
  const { origin, pathname } = new URL(apiUrl);
  return origin + pathname.replace(/\/+$/, '');
}

import type { CheckedInput } from '../profile-input.ts';
import { uuidFor } from './uuid.ts';

export type PlistDictionary = { [key: string]: PlistEntry };
export type PlistEntry = string | number | boolean | Uint8Array | PlistEntry[] | PlistDictionary;

export interface PayloadTitle {
  type: string;
  /** Identifies the payload within the profile; empty for the profile itself. */
  name: string;
  title: string;
  description: string;
}

/**
 * Keys of every payload. A device replaces a payload with the same identifier and UUID, so both
 * derive from the service and the payload's name, never from its content.
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

/** Equivalent URLs are the same tenant: case of the host, default port, slash. */
function canonical(apiUrl: string): string {
  const { origin, pathname } = new URL(apiUrl);
  return origin + pathname.replace(/\/+$/, '');
}

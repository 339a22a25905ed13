import { X509Certificate } from 'node:crypto';
import { buildBinary, parse } from 'plist';
import { z } from 'zod';
import { managedDomain } from './payloads/managed-config.ts';
import { rootType } from './payloads/root.ts';
import { ProfileError } from './profile-error.ts';

const payload = z.looseObject({ PayloadType: z.string() });
const profile = z.object({
  PayloadType: z.literal('Configuration'),
  PayloadContent: z.array(payload),
});
type Payload = z.output<typeof payload>;

/**
 * What macOS makes of the managed-config payload: the preference domain, and the binary plist it
 * writes to `/Library/Managed Preferences/<domain>.plist`. Throws ProfileError where there is not
 * exactly one such payload.
 */
export function materializeManagedConfig(profileXml: string): { domain: string; plist: Buffer } {
  const suffix = managedDomain('');
  const found = readPayloads(profileXml).filter(({ PayloadType }) => PayloadType.endsWith(suffix));
  const [config] = found;
  if (!config || found.length > 1) {
    throw new ProfileError(`expected one payload of a type *${suffix}, found ${found.length}`);
  }
  const settings = Object.entries(config).filter(([key]) => !key.startsWith('Payload'));
  const plist = buildBinary(Object.fromEntries(settings) as Parameters<typeof buildBinary>[0]);
  return { domain: config.PayloadType, plist: Buffer.from(plist) };
}

/** The roots that a device with this profile trusts, as PEM one after the other. */
export function trustedRoots(profileXml: string): string {
  return readPayloads(profileXml)
    .filter(({ PayloadType }) => PayloadType === rootType)
    .map(({ PayloadContent }) => new X509Certificate(PayloadContent as Uint8Array).toString())
    .join('');
}

function readPayloads(profileXml: string): Payload[] {
  try {
    return profile.parse(parse(profileXml)).PayloadContent;
  } catch {
    throw new ProfileError('expected a configuration profile as XML, found something else');
  }
}

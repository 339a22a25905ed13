import { X509Certificate } from 'node:crypto';
import { DOMParser, onWarningStopParsing } from '@xmldom/xmldom';
import { buildBinary, parse } from 'plist';
import { z } from 'zod';
import { preferenceDomain } from './payloads/managed-config.ts';
import { ROOT_TYPE } from './payloads/root-certificate.ts';
import { ProfileError } from './profile-error.ts';

const payload = z.looseObject({ PayloadType: z.string() });
const profile = z.object({
  PayloadType: z.literal('Configuration'),
  PayloadContent: z.array(payload),
});
type Payload = z.output<typeof payload>;

/**
 * Converts the managed-config payload as macOS does: returns the preference domain, and the binary
 * plist for `/Library/Managed Preferences/<domain>.plist`.
 *
 * @throws ProfileError unless there is exactly one such payload
 */
export function materializeManagedConfig(profileXml: string): { domain: string; plist: Buffer } {
  const suffix = preferenceDomain('');
  const matches = readPayloads(profileXml).filter(({ PayloadType }) =>
    PayloadType.endsWith(suffix),
  );
  const [config] = matches;
  if (!config || matches.length > 1)
    throw new ProfileError(`expected one payload of type *${suffix}, found ${matches.length}`);

  const settings = Object.entries(config).filter(([key]) => !key.startsWith('Payload'));
  const plist = buildBinary(Object.fromEntries(settings) as Parameters<typeof buildBinary>[0]);
  return { domain: config.PayloadType, plist: Buffer.from(plist) };
}

/** The roots that a device with this profile trusts, as concatenated PEM. */
export function trustedRoots(profileXml: string): string {
  return readPayloads(profileXml)
    .filter(({ PayloadType }) => PayloadType === ROOT_TYPE)
    .map(({ PayloadContent }) => new X509Certificate(PayloadContent as Uint8Array).toString())
    .join('');
}

function readPayloads(profileXml: string): Payload[] {
  try {
    // Runs first, because it throws XML errors, which the plist parser below prints.
    new DOMParser({ onError: onWarningStopParsing }).parseFromString(profileXml, 'text/xml');
    return profile.parse(parse(profileXml)).PayloadContent;
  } catch {
    throw new ProfileError('expected a configuration profile as XML, found something else');
  }
}

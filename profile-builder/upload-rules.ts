import { type Dictionary, isDictionary } from './apple-schema/rule.ts';

/** What some device management wants of a profile that is uploaded to it. */
interface UploadRule {
  of: string;
  wants: string;
  holds: (profile: Dictionary, xml: string) => boolean;
}

const contentOf = (profile: Dictionary): Dictionary[] => {
  const content = profile['PayloadContent'];
  return Array.isArray(content) ? content.filter(isDictionary) : [];
};

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Fleet sends these itself. */
const fleetsOwnTypes = [
  'com.apple.MCX.FileVault2',
  'com.apple.security.FDERecoveryKeyEscrow',
  'com.apple.security.FDERecoveryRedirect',
];

export const uploadRules: readonly UploadRule[] = [
  {
    of: 'Fleet',
    wants: 'XML from the first character that is not a blank',
    holds: (_, xml) => xml.trimStart().startsWith('<?xml'),
  },
  {
    of: 'Fleet',
    wants: 'the payload type "Configuration"',
    holds: (profile) => profile['PayloadType'] === 'Configuration',
  },
  {
    of: 'Fleet',
    wants: 'an identifier and a display name',
    holds: (profile) =>
      isFilled(profile['PayloadIdentifier']) && isFilled(profile['PayloadDisplayName']),
  },
  {
    of: 'Fleet',
    wants: 'at least one payload',
    holds: (profile) => contentOf(profile).length > 0,
  },
  {
    of: 'Fleet',
    wants: 'no payload that it sends itself',
    holds: (profile) =>
      contentOf(profile).every(({ PayloadType }) => !fleetsOwnTypes.includes(String(PayloadType))),
  },
  {
    of: 'Fleet',
    wants: 'no identifier of its own',
    holds: (profile) =>
      [profile, ...contentOf(profile)].every(
        ({ PayloadIdentifier }) => !String(PayloadIdentifier).startsWith('com.fleetdm.'),
      ),
  },
  {
    of: 'every MDM',
    wants: 'the scope "System", for payloads of the device channel',
    holds: (profile) => profile['PayloadScope'] === 'System',
  },
  {
    of: 'Jamf, Iru and Fleet',
    wants: 'no "$" before a name: they put a value in',
    holds: (_, xml) => !/\$[A-Za-z_{]/.test(xml),
  },
  { of: 'Intune', wants: 'no "{{": it puts a value in', holds: (_, xml) => !xml.includes('{{') },
  {
    of: 'Mosyle and Hexnode',
    wants: 'no name between "%": they put a value in',
    holds: (_, xml) => !/%[A-Za-z_]+%/.test(xml),
  },
];

/** What device management would refuse, or deliver otherwise than it is. */
export const checkForUpload = (profile: Dictionary, xml: string): string[] =>
  uploadRules
    .filter(({ holds }) => !holds(profile, xml))
    .map(({ of, wants }) => `${of} wants ${wants}`);

import { type Dictionary, isDictionary } from './apple-schema/rule.ts';

/** A requirement of a device management product for uploaded profiles. */
interface UploadRule {
  of: string;
  requirement: string;
  isMet: (profile: Dictionary, xml: string) => boolean;
}

const contentOf = (profile: Dictionary): Dictionary[] => {
  const content = profile['PayloadContent'];
  return Array.isArray(content) ? content.filter(isDictionary) : [];
};

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Payload types that Fleet itself delivers. */
const fleetsOwnTypes = [
  'com.apple.MCX.FileVault2',
  'com.apple.security.FDERecoveryKeyEscrow',
  'com.apple.security.FDERecoveryRedirect',
];

export const uploadRules: readonly UploadRule[] = [
  {
    of: 'Fleet',
    requirement: 'XML from the first non-blank character',
    isMet: (_, xml) => xml.trimStart().startsWith('<?xml'),
  },
  {
    of: 'Fleet',
    requirement: 'the payload type "Configuration"',
    isMet: (profile) => profile['PayloadType'] === 'Configuration',
  },
  {
    of: 'Fleet',
    requirement: 'an identifier and a display name',
    isMet: (profile) =>
      isFilled(profile['PayloadIdentifier']) && isFilled(profile['PayloadDisplayName']),
  },
  {
    of: 'Fleet',
    requirement: 'at least one payload',
    isMet: (profile) => contentOf(profile).length > 0,
  },
  {
    of: 'Fleet',
    requirement: 'no payload that it sends itself',
    isMet: (profile) =>
      contentOf(profile).every(({ PayloadType }) => !fleetsOwnTypes.includes(String(PayloadType))),
  },
  {
    of: 'Fleet',
    requirement: 'no identifier of its own',
    isMet: (profile) =>
      [profile, ...contentOf(profile)].every(
        ({ PayloadIdentifier }) => !String(PayloadIdentifier).startsWith('com.fleetdm.'),
      ),
  },
  {
    of: 'every MDM',
    requirement: 'the scope "System", for payloads of the device channel',
    isMet: (profile) => profile['PayloadScope'] === 'System',
  },
  {
    of: 'Jamf, Iru and Fleet',
    requirement: 'no "$" before a name, which they would substitute',
    isMet: (_, xml) => !/\$[A-Za-z_{]/.test(xml),
  },
  {
    of: 'Intune',
    requirement: 'no "{{", which it would substitute',
    isMet: (_, xml) => !xml.includes('{{'),
  },
  {
    of: 'Mosyle and Hexnode',
    requirement: 'no name between "%", which they would substitute',
    isMet: (_, xml) => !/%[A-Za-z_]+%/.test(xml),
  },
];

/** The reasons why a device management product would reject or alter the profile. */
export const checkForUpload = (profile: Dictionary, xml: string): string[] =>
  uploadRules
    .filter(({ isMet }) => !isMet(profile, xml))
    .map(({ of, requirement }) => `${of} requires ${requirement}`);

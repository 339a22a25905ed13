import { flag, type Keys, list, required, text } from './rule.ts';

const receiver = { type: 'string', oneOf: ['bundleID', 'path'] } as const;
const identity: Keys = {
  Identifier: required(text),
  IdentifierType: required({ type: 'string', oneOf: ['bundleID', 'path'] }),
  CodeRequirement: required(text),
  StaticCode: flag,
  Allowed: flag,
  Authorization: {
    type: 'string',
    oneOf: ['Allow', 'Deny', 'AllowStandardUserToSetSystemService'],
    since: '11.0',
  },
  Comment: text,
  AEReceiverIdentifier: text,
  AEReceiverIdentifierType: receiver,
  AEReceiverCodeRequirement: text,
};

/** The privacy services, by the macOS version that introduced them. */
const servicesBySystem = {
  '10.14':
    'AddressBook Calendar Reminders Photos Camera Microphone Accessibility PostEvent ' +
    'SystemPolicyAllFiles SystemPolicySysAdminFiles AppleEvents',
  '10.15':
    'MediaLibrary FileProviderPresence ListenEvent ScreenCapture SpeechRecognition ' +
    'SystemPolicyDesktopFolder SystemPolicyDocumentsFolder SystemPolicyDownloadsFolder ' +
    'SystemPolicyNetworkVolumes SystemPolicyRemovableVolumes',
  '13.0': 'SystemPolicyAppBundles',
  '14.0': 'SystemPolicyAppData',
};
/** The rule for each privacy service, whose value lists the apps that it applies to. */
export const privacyServices: Keys = Object.fromEntries(
  Object.entries(servicesBySystem).flatMap(([since, names]) =>
    names
      .split(' ')
      .map((name) => [name, { ...list({ type: 'dictionary', keys: identity }), since }]),
  ),
);

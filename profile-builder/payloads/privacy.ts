import type { CheckedInput } from '../profile-input.ts';
import { codeRequirement, commonKeys, type PlistDictionary } from './common-keys.ts';

/** Full disk access, and the separate permission for data of other apps since macOS 14. */
const services = ['SystemPolicyAllFiles', 'SystemPolicyAppData'];

/** Lets the app search for AI apps in folders that macOS protects. */
export function privacyPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, teamId } = input;
  const allowed = {
    Identifier: bundleId,
    IdentifierType: 'bundleID',
    CodeRequirement: codeRequirement(bundleId, teamId),
    StaticCode: false,
    // `Authorization` is the alternative to this key since macOS 11. Both must not be present.
    Allowed: true,
    Comment: `Discovery of AI apps by ${appName}`,
  };
  return {
    ...commonKeys(input, {
      type: 'com.apple.TCC.configuration-profile-policy',
      name: 'privacy',
      title: `${appName} file access`,
      description: `Lets ${appName} find installed AI apps.`,
    }),
    Services: Object.fromEntries(services.map((service) => [service, [allowed]])),
  };
}

import type { CheckedInput } from '../profile-input.ts';
import { codeRequirement } from './code-requirement.ts';
import { commonKeys, type PlistDictionary } from './payload.ts';

/** Full disk access, and what macOS 14 asks for apart from it: data of other apps. */
const services = ['SystemPolicyAllFiles', 'SystemPolicyAppData'];

/** Lets the app look for AI apps where their files are, in folders that macOS asks about. */
export function privacyPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, teamId } = input;
  const allowed = {
    Identifier: bundleId,
    IdentifierType: 'bundleID',
    CodeRequirement: codeRequirement(bundleId, teamId),
    StaticCode: false,
    // `Authorization` says the same and must not stand beside it; it begins with macOS 11.
    Allowed: true,
    Comment: `Discovery of AI apps by ${appName}`,
  };
  return {
    ...commonKeys(input, {
      type: 'com.apple.TCC.configuration-profile-policy',
      name: 'privacy',
      title: `${appName} file access`,
      description: `Lets ${appName} find the AI apps that are installed.`,
    }),
    Services: Object.fromEntries(services.map((service) => [service, [allowed]])),
  };
}

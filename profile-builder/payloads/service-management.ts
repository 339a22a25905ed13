import type { CheckedInput } from '../profile-input.ts';
import { commonKeys, type PlistDictionary } from './common-keys.ts';

/**
 * Makes the background item managed: macOS does not announce it, and users cannot disable it. The
 * installer's launch agent has the bundle id as its label. The launch agent that sets the
 * environment runs the system's shell, which belongs to no team.
 */
export function serviceManagementPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, teamId } = input;
  const rule = (type: string, comment: string): PlistDictionary => ({
    RuleType: type,
    RuleValue: bundleId,
    TeamIdentifier: teamId,
    Comment: comment,
  });
  return {
    ...commonKeys(input, {
      type: 'com.apple.servicemanagement',
      name: 'background-items',
      title: `${appName} background item`,
      description: `Lets ${appName} run in the background.`,
    }),
    Rules: [
      rule('Label', `Launch agent of ${appName}`),
      {
        RuleType: 'Label',
        RuleValue: `${bundleId}.environment`,
        Comment: `Environment of Node programs for ${appName}`,
      },
      rule('BundleIdentifier', `Login items of ${appName}`),
    ],
  };
}

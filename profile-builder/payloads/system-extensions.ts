import type { CheckedInput } from '../profile-input.ts';
import {
  filterExtension,
  proxyExtension,
  commonKeys,
  type PlistDictionary,
} from './common-keys.ts';

/**
 * Lets the two network extensions load without a prompt. They are listed individually, so the team
 * must not be in AllowedTeamIdentifiers: macOS rejects a payload with both. User overrides stay
 * allowed, because forbidding them would block the extensions of other products. From macOS 15 on,
 * users cannot disable the extensions in System Settings. The app itself may deactivate them, which
 * an uninstaller needs; NonRemovableSystemExtensions would forbid that too.
 */
export function systemExtensionPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, teamId } = input;
  const extensions = [proxyExtension(bundleId), filterExtension(bundleId)];
  return {
    ...commonKeys(input, {
      type: 'com.apple.system-extension-policy',
      name: 'system-extensions',
      title: `${appName} system extensions`,
      description: `Lets the network extensions of ${appName} load.`,
    }),
    AllowUserOverrides: true,
    AllowedSystemExtensions: { [teamId]: extensions },
    AllowedSystemExtensionTypes: { [teamId]: ['NetworkExtension'] },
    NonRemovableFromUISystemExtensions: { [teamId]: extensions },
  };
}

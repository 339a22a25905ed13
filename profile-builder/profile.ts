import { build } from 'plist';
import {
  commonKeys,
  managedConfigPayload,
  rootPayload,
  systemExtensionPayload,
} from './payloads.ts';
import { checkInput, type ProfileInput } from './profile-input.ts';

export { ProfileError } from './profile-error.ts';
export type { ProfileInput } from './profile-input.ts';

/**
 * The unsigned configuration profile, as XML. It holds the API key: treat it as a secret. The same
 * input gives the same bytes, so pushing it again changes nothing on a device. Throws ProfileError.
 */
export function buildProfile(input: ProfileInput): string {
  const checked = checkInput(input);
  const { appName } = checked;
  const profile = {
    ...commonKeys(checked, {
      type: 'Configuration',
      name: '',
      title: appName,
      description: `Enrolls this computer in ${appName}, the AI governance of your organization.`,
    }),
    PayloadScope: 'System',
    PayloadContent: [
      ...checked.roots.map((root) => rootPayload(checked, root)),
      systemExtensionPayload(checked),
      managedConfigPayload(checked),
    ],
  };
  return `${build(profile)}\n`;
}

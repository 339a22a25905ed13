import { build } from 'plist';
import { contentFilterPayload } from './payloads/content-filter.ts';
import { managedConfigPayload } from './payloads/managed-config.ts';
import { notificationsPayload } from './payloads/notifications.ts';
import { commonKeys, type PlistDictionary } from './payloads/payload.ts';
import { privacyPayload } from './payloads/privacy.ts';
import { rootPayloads } from './payloads/root.ts';
import { serviceManagementPayload } from './payloads/service-management.ts';
import { systemExtensionPayload } from './payloads/system-extensions.ts';
import { transparentProxyPayload } from './payloads/transparent-proxy.ts';
import { type CheckedInput, checkInput, type ProfileInput } from './profile-input.ts';

export { ProfileError } from './profile-error.ts';
export type { ProfileInput } from './profile-input.ts';

/** What a deployment needs to work: trust, extensions, configuration. */
const standard = (input: CheckedInput): PlistDictionary[] => [
  ...rootPayloads(input),
  systemExtensionPayload(input),
  managedConfigPayload(input),
];

/** What macOS would otherwise ask the user about. */
const silencing = (input: CheckedInput): PlistDictionary[] => [
  contentFilterPayload(input),
  transparentProxyPayload(input),
  serviceManagementPayload(input),
  privacyPayload(input),
  notificationsPayload(input),
];

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
      ...standard(checked),
      ...(checked.payloads === 'full' ? silencing(checked) : []),
    ],
  };
  return `${build(profile)}\n`;
}

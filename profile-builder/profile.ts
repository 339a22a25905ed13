import { build } from 'plist';
import { codingAgentPayloads } from './payloads/coding-agents.ts';
import { contentFilterPayload } from './payloads/content-filter.ts';
import { managedConfigPayload } from './payloads/managed-config.ts';
import { notificationsPayload } from './payloads/notifications.ts';
import { commonKeys, type PlistDictionary } from './payloads/common-keys.ts';
import { privacyPayload } from './payloads/privacy.ts';
import { rootPayloads } from './payloads/root-certificate.ts';
import { serviceManagementPayload } from './payloads/service-management.ts';
import { systemExtensionPayload } from './payloads/system-extensions.ts';
import { transparentProxyPayload } from './payloads/transparent-proxy.ts';
import { type CheckedInput, checkInput, type ProfileInput } from './profile-input.ts';

export { ProfileError } from './profile-error.ts';
export type { ProfileInput } from './profile-input.ts';

/** The payloads that every deployment requires: trust, extensions, configuration. */
const requiredPayloads = (input: CheckedInput): PlistDictionary[] => [
  ...rootPayloads(input),
  systemExtensionPayload(input),
  managedConfigPayload(input),
];

/** Payloads that avoid prompts by macOS. */
const promptSuppressingPayloads = (input: CheckedInput): PlistDictionary[] => [
  contentFilterPayload(input),
  transparentProxyPayload(input),
  serviceManagementPayload(input),
  privacyPayload(input),
  notificationsPayload(input),
];

/**
 * Builds the unsigned configuration profile as XML. It contains the API key and must be treated as
 * a secret. The output is deterministic, so pushing it again changes nothing on a device.
 *
 * @throws ProfileError
 */
export function buildProfile(input: ProfileInput): string {
  const checked = checkInput(input);
  const { appName } = checked;
  const profile = {
    ...commonKeys(checked, {
      type: 'Configuration',
      name: '',
      title: appName,
      description: `Enrolls this computer in ${appName}, your organization's AI governance.`,
    }),
    PayloadScope: 'System',
    PayloadContent: [
      ...requiredPayloads(checked),
      ...(checked.payloads === 'full' ? promptSuppressingPayloads(checked) : []),
      ...codingAgentPayloads(checked),
    ],
  };
  return `${build(profile)}\n`;
}

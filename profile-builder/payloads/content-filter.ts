import type { CheckedInput } from '../profile-input.ts';
import {
  codeRequirement,
  filterExtension,
  commonKeys,
  type PlistDictionary,
} from './common-keys.ts';

/**
 * Configures the content filter, so that the app need not ask the user. The filter only observes.
 * As an `inspector` it runs after firewalls, so dropped connections are not recorded as flows.
 */
export function contentFilterPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId, teamId, organization } = input;
  const extension = filterExtension(bundleId);
  return {
    ...commonKeys(input, {
      type: 'com.apple.webcontent-filter',
      name: 'content-filter',
      title: `${appName} content filter`,
      description: `Lets ${appName} see which app connects to which AI service.`,
    }),
    FilterType: 'Plugin',
    UserDefinedName: appName,
    PluginBundleID: bundleId,
    FilterSockets: true,
    FilterDataProviderBundleIdentifier: extension,
    FilterDataProviderDesignatedRequirement: codeRequirement(extension, teamId),
    FilterPackets: false,
    FilterGrade: 'inspector',
    Organization: organization ?? appName,
  };
}

import {
  checkAccessKeys,
  checkRemovable,
  checkTeamIds,
  filterIsComplete,
  proxyIsComplete,
} from './combinations.ts';
import { privacyServices } from './privacy-services.ts';
import { bit, flag, list, type PayloadSchema, required, type Rule, text, uuid } from './rule.ts';

const extensionType = {
  type: 'string',
  oneOf: ['DriverExtension', 'NetworkExtension', 'EndpointSecurityExtension'],
} as const;
const byTeam = <const R extends Rule>(rule: R) =>
  ({ type: 'dictionary', each: list(rule) }) as const;

/** Apple's published schemas for macOS of the payloads that this builder creates. */
export const payloadSchemas: Readonly<Record<string, PayloadSchema>> = {
  'com.apple.security.root': {
    since: '10.7',
    channels: ['device', 'user'],
    needsApprovedManagement: false,
    keys: { PayloadContent: required({ type: 'data' }), PayloadCertificateFileName: text },
    together: [],
  },
  'com.apple.system-extension-policy': {
    since: '10.15',
    channels: ['device'],
    needsApprovedManagement: true,
    keys: {
      AllowUserOverrides: flag,
      AllowedTeamIdentifiers: list(text),
      AllowedSystemExtensions: byTeam(text),
      AllowedSystemExtensionTypes: byTeam(extensionType),
      RemovableSystemExtensions: { ...byTeam(text), since: '12.0' },
      NonRemovableSystemExtensions: { ...byTeam(text), since: '15.0' },
      NonRemovableFromUISystemExtensions: { ...byTeam(text), since: '15.0' },
    },
    together: [checkTeamIds, checkRemovable],
  },
  'com.apple.webcontent-filter': {
    since: '10.15',
    channels: ['device'],
    needsApprovedManagement: false,
    keys: {
      // Apple makes this key optional, but its default "BuiltIn" is not available on macOS.
      FilterType: required({ type: 'string', oneOf: ['Plugin'] }),
      UserDefinedName: text,
      PluginBundleID: text,
      ServerAddress: text,
      UserName: text,
      Password: text,
      PayloadCertificateUUID: uuid,
      Organization: text,
      VendorConfig: { type: 'dictionary', each: { type: 'any' } },
      FilterSockets: flag,
      FilterDataProviderBundleIdentifier: text,
      FilterDataProviderDesignatedRequirement: text,
      FilterPackets: flag,
      FilterPacketProviderBundleIdentifier: text,
      FilterPacketProviderDesignatedRequirement: text,
      FilterGrade: { type: 'string', oneOf: ['firewall', 'inspector'] },
    },
    together: [filterIsComplete],
  },
  'com.apple.vpn.managed': {
    since: '10.7',
    channels: ['device', 'user'],
    needsApprovedManagement: false,
    keys: {
      VPNType: required({ type: 'string', oneOf: ['TransparentProxy'], since: '14.0' }),
      VPNSubType: text,
      UserDefinedName: required(text),
      VendorConfig: { type: 'dictionary', each: text },
      TransparentProxy: {
        type: 'dictionary',
        since: '14.0',
        keys: {
          AuthenticationMethod: {
            type: 'string',
            oneOf: ['Password', 'Certificate', 'Password+Certificate'],
          },
          ProviderType: { type: 'string', oneOf: ['packet-tunnel', 'app-proxy'] },
          ProviderBundleIdentifier: text,
          ProviderDesignatedRequirement: text,
          Order: { type: 'integer', from: 1 },
          PayloadCertificateUUID: uuid,
          Password: text,
          OnDemandEnabled: bit,
          OnDemandRules: list({ type: 'dictionary', each: { type: 'any' } }),
          EnforceRoutes: bit,
          DisconnectOnIdle: bit,
          DisconnectOnIdleTimer: { type: 'integer' },
          // This key is missing in Apple's schema, but present in Apple's own example of the
          // payload.
          RemoteAddress: text,
        },
      },
    },
    together: [proxyIsComplete],
  },
  'com.apple.servicemanagement': {
    since: '13.0',
    channels: ['device'],
    needsApprovedManagement: true,
    keys: {
      Rules: required({
        type: 'array',
        notEmpty: true,
        of: {
          type: 'dictionary',
          keys: {
            RuleType: required({
              type: 'string',
              oneOf: [
                'BundleIdentifier',
                'BundleIdentifierPrefix',
                'Label',
                'LabelPrefix',
                'TeamIdentifier',
              ],
            }),
            RuleValue: required(text),
            TeamIdentifier: text,
            Comment: text,
          },
        },
      }),
    },
    together: [],
  },
  'com.apple.TCC.configuration-profile-policy': {
    since: '10.14',
    channels: ['device'],
    needsApprovedManagement: true,
    keys: { Services: required({ type: 'dictionary', keys: privacyServices }) },
    together: [checkAccessKeys],
  },
  'com.apple.notificationsettings': {
    since: '10.15',
    channels: ['device', 'user'],
    needsApprovedManagement: false,
    keys: {
      NotificationSettings: required(
        list({
          type: 'dictionary',
          keys: {
            BundleIdentifier: required(text),
            NotificationsEnabled: flag,
            ShowInNotificationCenter: flag,
            ShowInLockScreen: flag,
            AlertType: { type: 'integer', oneOf: [0, 1, 2] },
            BadgesEnabled: flag,
            SoundsEnabled: flag,
            CriticalAlertEnabled: flag,
          },
        }),
      ),
    },
    together: [],
  },
};

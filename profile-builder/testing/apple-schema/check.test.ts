import { describe, expect, test } from 'vitest';
import { checkAgainstSchema } from './check.ts';

const uuid = (n: number): string => `00000000-0000-5000-8000-00000000000${n}`;
const common = (n: number, PayloadType: string) => ({
  PayloadType,
  PayloadVersion: 1,
  PayloadIdentifier: `com.example.${n}`,
  PayloadUUID: uuid(n),
});
const profileOf = (...payloads: object[]) => ({
  ...common(0, 'Configuration'),
  PayloadScope: 'System',
  PayloadContent: payloads,
});
const check = (type: string, keys: object): string[] =>
  checkAgainstSchema(profileOf({ ...common(1, type), ...keys })).map((line) =>
    line.replace(`${type}.`, ''),
  );

const filter = {
  FilterType: 'Plugin',
  UserDefinedName: 'Example',
  PluginBundleID: 'com.example',
  FilterSockets: true,
  FilterDataProviderBundleIdentifier: 'com.example.filter',
  FilterDataProviderDesignatedRequirement: 'anchor apple',
};
const proxy = {
  ProviderType: 'app-proxy',
  ProviderBundleIdentifier: 'com.example.proxy',
  ProviderDesignatedRequirement: 'anchor apple',
};
const vpn = {
  VPNType: 'TransparentProxy',
  VPNSubType: 'com.example',
  UserDefinedName: 'Example',
  TransparentProxy: proxy,
};
const access = { Identifier: 'com.example', IdentifierType: 'bundleID', CodeRequirement: 'anchor' };
const services = (service: string, ...identities: object[]) => ({
  Services: { [service]: identities.map((identity) => ({ ...access, ...identity })) },
});
const allow = { Allowed: true };
const left = { Authorization: 'AllowStandardUserToSetSystemService' };
const rule = { RuleType: 'Label', RuleValue: 'com.example' };

const EXTENSIONS = 'com.apple.system-extension-policy';
const CONTENT_FILTER = 'com.apple.webcontent-filter';
const PRIVACY = 'com.apple.TCC.configuration-profile-policy';
const BACKGROUND = 'com.apple.servicemanagement';
const NOTIFICATIONS = 'com.apple.notificationsettings';

describe('a payload', () => {
  test.each<[string, object, string[]]>([
    [EXTENSIONS, { AllowedTeamIdentifiers: ['A'], AllowedSystemExtensions: { B: ['x'] } }, []],
    [
      EXTENSIONS,
      { AllowedTeamIdentifiers: ['A'], AllowedSystemExtensions: { A: ['x'] } },
      ['AllowedTeamIdentifiers: contains A, which is also in AllowedSystemExtensions'],
    ],
    [
      EXTENSIONS,
      { RemovableSystemExtensions: { A: ['x'] }, NonRemovableSystemExtensions: { A: ['x'] } },
      ['RemovableSystemExtensions: contains x, which is also in NonRemovableSystemExtensions'],
    ],
    [
      EXTENSIONS,
      { RemovableSystemExtensions: { A: ['x'] }, NonRemovableFromUISystemExtensions: { A: ['x'] } },
      [],
    ],
    [
      EXTENSIONS,
      { AllowedSystemExtensionTypes: { A: ['Kernel'] } },
      [
        'AllowedSystemExtensionTypes.A[0]: expected one of ' +
          'DriverExtension, NetworkExtension, EndpointSecurityExtension',
      ],
    ],
    [
      EXTENSIONS,
      { AllowedSystemExtensions: ['x'] },
      ['AllowedSystemExtensions: expected dictionary'],
    ],
    [EXTENSIONS, { AllowUserOverrides: 1 }, ['AllowUserOverrides: expected boolean']],
    [EXTENSIONS, { Allowed: true }, ['Allowed: unknown key in this payload']],
    ['com.apple.security.root', { PayloadContent: new Uint8Array(1) }, []],
    ['com.apple.security.root', { PayloadContent: 'x' }, ['PayloadContent: expected data']],
    ['com.apple.security.root', {}, ['PayloadContent: is missing']],
    [CONTENT_FILTER, filter, []],
    [CONTENT_FILTER, { ...filter, FilterType: 'BuiltIn' }, ['FilterType: expected one of Plugin']],
    [
      CONTENT_FILTER,
      { ...filter, FilterGrade: 'first' },
      ['FilterGrade: expected one of firewall, inspector'],
    ],
    [
      CONTENT_FILTER,
      { ...filter, FilterBrowsers: true },
      ['FilterBrowsers: unknown key in this payload'],
    ],
    [
      CONTENT_FILTER,
      { ...filter, FilterSockets: false },
      ['FilterSockets: this or FilterPackets must be true'],
    ],
    [
      CONTENT_FILTER,
      { ...filter, FilterDataProviderDesignatedRequirement: '' },
      ['FilterDataProviderDesignatedRequirement: is required for sockets'],
    ],
    [
      CONTENT_FILTER,
      { ...filter, FilterPackets: true, FilterPacketProviderBundleIdentifier: 'x' },
      ['FilterPacketProviderDesignatedRequirement: is required for packets'],
    ],
    [
      CONTENT_FILTER,
      { ...filter, PayloadCertificateUUID: 'x' },
      [expect.stringMatching(/^PayloadCertificateUUID: expected \//) as string],
    ],
    ['com.apple.vpn.managed', vpn, []],
    [
      'com.apple.vpn.managed',
      { ...vpn, VPNSubType: '' },
      ['VPNSubType: is required for a transparent proxy'],
    ],
    [
      'com.apple.vpn.managed',
      { ...vpn, TransparentProxy: { ...proxy, ProviderBundleIdentifier: undefined } },
      [
        'TransparentProxy.ProviderBundleIdentifier: expected string',
        'ProviderBundleIdentifier: is required for a system extension',
      ],
    ],
    [
      'com.apple.vpn.managed',
      { ...vpn, TransparentProxy: { ...proxy, Order: 0, OnDemandEnabled: 2 } },
      [
        'TransparentProxy.Order: expected at least 1',
        'TransparentProxy.OnDemandEnabled: expected one of 0, 1',
      ],
    ],
    [BACKGROUND, { Rules: [rule] }, []],
    [BACKGROUND, { Rules: [] }, ['Rules: expected at least one item']],
    [BACKGROUND, { Rules: [{ RuleType: 'Label' }] }, ['Rules[0].RuleValue: is missing']],
    [
      BACKGROUND,
      { Rules: [{ ...rule, RuleType: 'Path' }] },
      [expect.stringMatching(/^Rules\[0\]\.RuleType: expected one of Bundle/) as string],
    ],
    [PRIVACY, services('SystemPolicyAllFiles', allow), []],
    [PRIVACY, services('SystemPolicyAllFiles', { Authorization: 'Allow' }), []],
    [
      PRIVACY,
      services('SystemPolicyAllFiles', { ...allow, Authorization: 'Allow' }, {}),
      Array(2).fill(
        'Services.SystemPolicyAllFiles: expected exactly one of Allowed and Authorization',
      ),
    ],
    [PRIVACY, services('Camera', allow), ['Services.Camera: can only be denied']],
    [PRIVACY, services('Camera', { Allowed: false }), []],
    [PRIVACY, services('ListenEvent', left), []],
    [PRIVACY, services('AddressBook', left), ['Services.AddressBook: cannot be left to the user']],
    [PRIVACY, services('Nothing', allow), ['Services.Nothing: unknown key in this payload']],
    [
      PRIVACY,
      services('AddressBook', { ...allow, AEReceiverIdentifier: 'x' }),
      ['Services.AddressBook: a receiver is allowed for AppleEvents only'],
    ],
    [NOTIFICATIONS, { NotificationSettings: [{ BundleIdentifier: 'x', AlertType: 2 }] }, []],
    [
      NOTIFICATIONS,
      { NotificationSettings: [{ AlertType: 3 }] },
      [
        'NotificationSettings[0].BundleIdentifier: is missing',
        'NotificationSettings[0].AlertType: expected one of 0, 1, 2',
      ],
    ],
    ['com.example.settings', { anything: [{ goes: 1.5 }] }, []],
    ['com.example.settings', { PayloadVersion: 2 }, ['PayloadVersion: expected one of 1']],
    ['com.apple.dock', {}, ['com.apple.dock: unknown payload type']],
  ])('%s with %j', (type, keys, expected) => {
    expect(check(type, keys)).toEqual(expected);
  });
});

describe('a profile', () => {
  const own = { ...common(1, 'com.example.settings') };

  test.each<[string, unknown, string[]]>([
    ['that is none', [], ['profile: expected a dictionary']],
    [
      'without payloads',
      { ...profileOf(), PayloadContent: undefined },
      ['profile.PayloadContent: expected array'],
    ],
    [
      'of a wrong type and scope',
      { ...profileOf(own), PayloadType: 'X', PayloadScope: 'All' },
      [
        'profile.PayloadType: expected one of Configuration',
        'profile.PayloadScope: expected one of System, User',
      ],
    ],
    [
      'with a key that macOS does not know',
      { ...profileOf(own), PayloadEnabled: true },
      ['profile.PayloadEnabled: unknown key in this payload'],
    ],
    [
      'with the same identity twice',
      profileOf(own, own),
      ['PayloadIdentifier: com.example.1 is used twice', `PayloadUUID: ${uuid(1)} is used twice`],
    ],
    [
      'of a user, with a payload for devices',
      { ...profileOf({ ...common(1, EXTENSIONS) }), PayloadScope: 'User' },
      [`${EXTENSIONS}: not allowed in the user channel`],
    ],
  ])('%s', (_, profile, expected) => {
    expect(checkAgainstSchema(profile)).toEqual(expected);
  });
});

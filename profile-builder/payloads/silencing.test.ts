import { beforeAll, describe, expect, test } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { buildProfile, type ProfileInput } from '../profile.ts';
import { pythonsUuid, readWithPython } from '../testing/python.ts';

const now = Date.UTC(2026, 10, 21);

let input: ProfileInput;
beforeAll(async () => {
  const root = await createRoot({ name: 'Example root', now });
  input = {
    now,
    apiUrl: 'https://gatehouse.example',
    apiKey: 'svc_sk_verysecret',
    rootCertificates: [root.certificatePem],
    hosts: [],
    payloads: 'full',
    appName: 'Gatehouse',
    bundleId: 'com.gatehouse.agent',
    teamId: 'GATEHOUSE1',
  };
});

const payloadsOf = (changed: Partial<ProfileInput> = {}): object[] =>
  readWithPython(buildProfile({ ...input, ...changed }))['PayloadContent'] as object[];

const requirement = (identifier: string, team = 'GATEHOUSE1'): string =>
  `identifier "${identifier}" and anchor apple generic and ` +
  'certificate 1[field.1.2.840.113635.100.6.2.6] /* exists */ and ' +
  'certificate leaf[field.1.2.840.113635.100.6.1.13] /* exists */ and ' +
  `certificate leaf[subject.OU] = ${team}`;

const common = (PayloadType: string, name: string, title: string, description: string) => ({
  PayloadType,
  PayloadVersion: 1,
  PayloadIdentifier: `com.gatehouse.agent.profile.${name}`,
  PayloadUUID: pythonsUuid(`https://gatehouse.example com.gatehouse.agent ${name}`),
  PayloadDisplayName: `Gatehouse ${title}`,
  PayloadDescription: `Lets Gatehouse ${description}`,
});

const allowed = {
  Identifier: 'com.gatehouse.agent',
  IdentifierType: 'bundleID',
  CodeRequirement: requirement('com.gatehouse.agent'),
  StaticCode: false,
  Allowed: true,
  Comment: 'Discovery of AI apps by Gatehouse',
};

const expected = (): object[] => [
  {
    ...common(
      'com.apple.webcontent-filter',
      'content-filter',
      'content filter',
      'see which app connects to which AI service.',
    ),
    FilterType: 'Plugin',
    UserDefinedName: 'Gatehouse',
    PluginBundleID: 'com.gatehouse.agent',
    FilterSockets: true,
    FilterDataProviderBundleIdentifier: 'com.gatehouse.agent.flowmonitor',
    FilterDataProviderDesignatedRequirement: requirement('com.gatehouse.agent.flowmonitor'),
    FilterPackets: false,
    FilterGrade: 'inspector',
    Organization: 'Gatehouse',
  },
  {
    ...common(
      'com.apple.vpn.managed',
      'transparent-proxy',
      'transparent proxy',
      'inspect connections to hosts with capture enabled.',
    ),
    VPNType: 'TransparentProxy',
    VPNSubType: 'com.gatehouse.agent',
    UserDefinedName: 'Gatehouse',
    TransparentProxy: {
      ProviderType: 'app-proxy',
      ProviderBundleIdentifier: 'com.gatehouse.agent.proxymonitor',
      ProviderDesignatedRequirement: requirement('com.gatehouse.agent.proxymonitor'),
      RemoteAddress: '127.0.0.1',
      OnDemandEnabled: 0,
    },
  },
  {
    ...common(
      'com.apple.servicemanagement',
      'background-items',
      'background item',
      'run in the background.',
    ),
    Rules: [
      {
        RuleType: 'Label',
        RuleValue: 'com.gatehouse.agent',
        TeamIdentifier: 'GATEHOUSE1',
        Comment: 'Launch agent of Gatehouse',
      },
      {
        RuleType: 'Label',
        RuleValue: 'com.gatehouse.agent.environment',
        Comment: 'Environment of Node programs for Gatehouse',
      },
      {
        RuleType: 'BundleIdentifier',
        RuleValue: 'com.gatehouse.agent',
        TeamIdentifier: 'GATEHOUSE1',
        Comment: 'Login items of Gatehouse',
      },
    ],
  },
  {
    ...common(
      'com.apple.TCC.configuration-profile-policy',
      'privacy',
      'file access',
      'find installed AI apps.',
    ),
    Services: { SystemPolicyAllFiles: [allowed], SystemPolicyAppData: [allowed] },
  },
  {
    ...common(
      'com.apple.notificationsettings',
      'notifications',
      'notifications',
      'show quiet notifications.',
    ),
    NotificationSettings: [
      {
        BundleIdentifier: 'com.gatehouse.agent',
        NotificationsEnabled: true,
        AlertType: 1,
        ShowInNotificationCenter: true,
        ShowInLockScreen: false,
        BadgesEnabled: false,
        SoundsEnabled: false,
        CriticalAlertEnabled: false,
      },
    ],
  },
];

describe('a full profile', { tags: ['python3'] }, () => {
  test('has the three standard payloads, followed by five more', () => {
    const payloads = payloadsOf();
    expect(payloads).toHaveLength(8);
    expect(payloads.slice(0, 3)).toEqual(payloadsOf({ payloads: undefined }));
  });

  test('grants the permissions that macOS would ask about', () => {
    expect(payloadsOf().slice(3)).toEqual(expected());
  });

  test('passes the organization to the filter, and quotes a team id that begins with a digit', () => {
    const filter = payloadsOf({ organization: 'Example', teamId: '1ATEHOUSE1' })[3];
    expect(filter).toMatchObject({
      Organization: 'Example',
      FilterDataProviderDesignatedRequirement: requirement(
        'com.gatehouse.agent.flowmonitor',
        '"1ATEHOUSE1"',
      ),
    });
  });
});

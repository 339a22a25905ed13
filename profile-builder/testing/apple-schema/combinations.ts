import { type Dictionary, isDictionary } from './rule.ts';

const textsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const entriesOf = (value: unknown): [string, unknown][] =>
  isDictionary(value) ? Object.entries(value) : [];

function missing(payload: Dictionary, why: string, ...keys: string[]): string[] {
  const absent = keys.filter((key) => !payload[key]);
  return absent.map((key) => `${key}: is required ${why}`);
}

/** Reports teams that both keys allow. Apple treats this as an error, not as a repetition. */
export function checkTeamIds(payload: Dictionary): string[] {
  const teams = textsOf(payload['AllowedTeamIdentifiers']);
  return entriesOf(payload['AllowedSystemExtensions'])
    .filter(([team]) => teams.includes(team))
    .map(
      ([team]) =>
        `AllowedTeamIdentifiers: contains ${team}, which is also in AllowedSystemExtensions`,
    );
}

/**
 * Checks that NonRemovableSystemExtensions and RemovableSystemExtensions do not conflict.
 * NonRemovableFromUISystemExtensions does not conflict with either.
 */
export function checkRemovable(payload: Dictionary): string[] {
  const nonRemovable = new Map(entriesOf(payload['NonRemovableSystemExtensions']));
  return entriesOf(payload['RemovableSystemExtensions']).flatMap(([team, extensions]) =>
    textsOf(extensions)
      .filter((extension) => textsOf(nonRemovable.get(team)).includes(extension))
      .map(
        (id) =>
          `RemovableSystemExtensions: contains ${String(id)}, which is also in NonRemovableSystemExtensions`,
      ),
  );
}

export function filterIsComplete(payload: Dictionary): string[] {
  const { FilterSockets: sockets, FilterPackets: packets } = payload;
  return [
    ...missing(payload, 'for a plug-in', 'UserDefinedName', 'PluginBundleID'),
    ...(sockets || packets ? [] : ['FilterSockets: this or FilterPackets must be true']),
    ...(sockets ? missing(payload, 'for sockets', ...providerKeys('Data')) : []),
    ...(packets ? missing(payload, 'for packets', ...providerKeys('Packet')) : []),
  ];
}

const providerKeys = (of: 'Data' | 'Packet'): string[] => [
  `Filter${of}ProviderBundleIdentifier`,
  `Filter${of}ProviderDesignatedRequirement`,
];

/** Checks that all keys are present that a provider in a system extension needs. */
export function proxyIsComplete(payload: Dictionary): string[] {
  const proxy = payload['TransparentProxy'];
  const provider = ['ProviderBundleIdentifier', 'ProviderDesignatedRequirement'];
  return [
    ...missing(payload, 'for a transparent proxy', 'VPNSubType', 'TransparentProxy'),
    ...(isDictionary(proxy) ? missing(proxy, 'for a system extension', ...provider) : []),
  ];
}

/** Services that a profile can only deny. */
const onlyDenied = ['Camera', 'Microphone', 'ListenEvent', 'ScreenCapture'];
const leftToUsers = ['ListenEvent', 'ScreenCapture'];

/** Checks the access that each identity gets. `Allowed` and `Authorization` are alternatives. */
export function checkAccessKeys(payload: Dictionary): string[] {
  return entriesOf(payload['Services']).flatMap(([service, identities]) =>
    textsOf(identities)
      .filter(isDictionary)
      .flatMap((identity) => checkAccess(service, identity))
      .map((problem) => `Services.${service}: ${problem}`),
  );
}

function checkAccess(service: string, identity: Dictionary): string[] {
  const { Allowed: allowed, Authorization: authorization } = identity;
  const both = (allowed === undefined) === (authorization === undefined);
  const receives = Object.keys(identity).some((key) => key.startsWith('AEReceiver'));
  const granted = allowed === true || authorization === 'Allow';
  const leftToUser = authorization === 'AllowStandardUserToSetSystemService';
  return [
    ...(both ? ['expected exactly one of Allowed and Authorization'] : []),
    ...(granted && onlyDenied.includes(service) ? ['can only be denied'] : []),
    ...(leftToUser && !leftToUsers.includes(service) ? ['cannot be left to the user'] : []),
    ...(receives !== (service === 'AppleEvents')
      ? ['a receiver is allowed for AppleEvents only']
      : []),
  ];
}

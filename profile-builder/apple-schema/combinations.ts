import { type Dictionary, isDictionary } from './rule.ts';

const textsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const entriesOf = (value: unknown): [string, unknown][] =>
  isDictionary(value) ? Object.entries(value) : [];

function missing(payload: Dictionary, why: string, ...keys: string[]): string[] {
  const absent = keys.filter((key) => !payload[key]);
  return absent.map((key) => `${key}: is needed ${why}`);
}

/** Apple: an error, not a repetition. */
export function teamNamedOnce(payload: Dictionary): string[] {
  const teams = textsOf(payload['AllowedTeamIdentifiers']);
  return entriesOf(payload['AllowedSystemExtensions'])
    .filter(([team]) => teams.includes(team))
    .map(([team]) => `AllowedTeamIdentifiers: has ${team}, as AllowedSystemExtensions has`);
}

/** Not removable by anybody excludes removable by its app; not removable by hand does not. */
export function removableOrNot(payload: Dictionary): string[] {
  const kept = new Map(entriesOf(payload['NonRemovableSystemExtensions']));
  return entriesOf(payload['RemovableSystemExtensions']).flatMap(([team, extensions]) =>
    textsOf(extensions)
      .filter((extension) => textsOf(kept.get(team)).includes(extension))
      .map(
        (id) => `RemovableSystemExtensions: has ${String(id)}, as NonRemovableSystemExtensions has`,
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

/** A provider that is a system extension must be named, with what identifies its code. */
export function proxyIsComplete(payload: Dictionary): string[] {
  const proxy = payload['TransparentProxy'];
  const provider = ['ProviderBundleIdentifier', 'ProviderDesignatedRequirement'];
  return [
    ...missing(payload, 'for a transparent proxy', 'VPNSubType', 'TransparentProxy'),
    ...(isDictionary(proxy) ? missing(proxy, 'for a system extension', ...provider) : []),
  ];
}

/** What no profile can grant, only deny. */
const onlyDenied = ['Camera', 'Microphone', 'ListenEvent', 'ScreenCapture'];
const leftToUsers = ['ListenEvent', 'ScreenCapture'];

/** `Allowed` and `Authorization` say the same thing in two ways. */
export function oneWordOnAccess(payload: Dictionary): string[] {
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
  const left = authorization === 'AllowStandardUserToSetSystemService';
  return [
    ...(both ? ['expected one of Allowed and Authorization'] : []),
    ...(granted && onlyDenied.includes(service) ? ['can only be denied'] : []),
    ...(left && !leftToUsers.includes(service) ? ['cannot be left to the user'] : []),
    ...(receives !== (service === 'AppleEvents') ? ['a receiver is for AppleEvents alone'] : []),
  ];
}

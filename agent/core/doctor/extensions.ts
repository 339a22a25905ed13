import { type Check, notChecked, ok, problem } from './check.ts';
import { formatNames } from './format.ts';

export interface ExtensionState {
  /** Bundle id. */
  id: string;
  team: string;
  /** As `systemextensionsctl list` has it: `activated enabled`, `activated waiting for user`, … */
  state: string;
}

/** An entry of ours in the network settings of macOS, as `gatehouse-extensions status` prints it. */
export interface NetworkConfiguration {
  name: 'filter' | 'proxy';
  present: boolean;
  enabled: boolean;
}

export interface ExtensionFacts {
  /** All network extensions that the system knows; null: they cannot be listed. */
  extensions: readonly ExtensionState[] | null;
  /** Bundle ids of ours. */
  wanted: readonly string[];
  /** Null: they cannot be read. */
  configurations: readonly NetworkConfiguration[] | null;
  /** Is the app one that brings extensions? */
  hasExtensions: boolean;
}

const ID = 'extensions';

/** On macOS: do the network extensions run? */
export function checkExtensions(facts: ExtensionFacts): Check[] {
  const { extensions, wanted, hasExtensions, configurations } = facts;
  if (extensions === null)
    return [notChecked(ID, 'The system extensions of this Mac cannot be listed.')];
  if (!hasExtensions)
    return [notChecked(ID, 'This app brings no network extensions: only its proxy captures.')];
  return [
    ...wanted.map((bundleId) => checkOne(bundleId, stateOf(extensions, bundleId))),
    ...(configurations ?? []).map(checkConfiguration),
  ];
}

const titles = { filter: 'content filter', proxy: 'transparent proxy' } as const;

/** An extension that is active does nothing without such an entry. */
function checkConfiguration({ name, present, enabled }: NetworkConfiguration): Check {
  const own = `${ID}:${name}`;
  const title = titles[name];
  if (present && enabled) return ok(own, `The ${title} is configured and on.`);
  return problem(
    own,
    present ? `The ${title} is switched off.` : `The ${title} is not configured.`,
    'IT',
    present
      ? 'Switch it on in System Settings, Network, Filters or VPN; a profile with payloads=full keeps it on.'
      : 'Deliver the profile with payloads=full, which configures it; or open the app, which asks the user.',
  );
}

/** An extension that was replaced is listed until the Mac restarts, beside the one that runs. */
const stateOf = (extensions: readonly ExtensionState[], bundleId: string): string | null => {
  const states = extensions.filter((one) => one.id === bundleId).map(({ state }) => state);
  return states.find((state) => state === 'activated enabled') ?? states[0] ?? null;
};

function checkOne(bundleId: string, state: string | null): Check {
  const own = `${ID}:${bundleId.split('.').at(-1)}`;
  if (state === null)
    return problem(
      own,
      `The network extension ${bundleId} was never activated.`,
      'user',
      'Open the app from the folder Applications: macOS activates extensions of apps there only.',
    );
  if (state === 'activated enabled') return ok(own, `The network extension ${bundleId} is active.`);
  if (state.includes('waiting for user'))
    return problem(
      own,
      `The network extension ${bundleId} waits for permission.`,
      'IT',
      'Deliver the profile with the team id that the app is signed with: its system extension policy gives the permission. Without a profile, allow it in System Settings.',
    );
  if (state.includes('disabled'))
    return problem(
      own,
      `The network extension ${bundleId} is switched off.`,
      'user',
      'Switch it on in System Settings, General, Login Items & Extensions, Network Extensions.',
    );
  if (state.includes('reboot'))
    return problem(
      own,
      `The network extension ${bundleId} changes at the next restart (${state}).`,
      'user',
      'Restart this Mac.',
    );
  return problem(
    own,
    `The network extension ${bundleId} is not active: ${state}.`,
    'IT',
    'Send support this page and the output of `systemextensionsctl list`.',
  );
}

/** Extensions of others that see the same connections. */
export const otherExtensions = (
  extensions: readonly ExtensionState[],
  wanted: readonly string[],
): string =>
  formatNames(
    extensions
      .filter((one) => !wanted.includes(one.id) && one.state === 'activated enabled')
      .map((one) => one.id),
  );

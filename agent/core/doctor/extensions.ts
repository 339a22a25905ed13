import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Check, notChecked, ok, problem } from './check.ts';
import { formatNames, toSentence } from './format.ts';

export interface ExtensionState {
  /** Bundle id. */
  id: string;
  team: string;
  /**
   * In the words of `systemextensionsctl list`: `activated enabled`, `activated waiting for user`,
   * …
   */
  state: string;
}

/**
 * An entry of Gatehouse in the network settings of macOS, as printed by `gatehouse-extensions
 * status`.
 */
export interface NetworkConfiguration {
  name: 'filter' | 'proxy';
  present: boolean;
  enabled: boolean;
}

export interface ExtensionFacts {
  /** All network extensions known to the system; null: they cannot be listed. */
  extensions: readonly ExtensionState[] | null;
  /** Bundle ids of Gatehouse's extensions. */
  expected: readonly string[];
  /** Null: they cannot be read. */
  configurations: readonly NetworkConfiguration[] | null;
  /** Whether the app contains extensions. */
  hasExtensions: boolean;
  /** Whether any host is captured; null: unknown. */
  captures: boolean | null;
}

const ID = 'extensions';

/** Checks on macOS whether the network extensions run. */
export function checkExtensions(facts: ExtensionFacts): Check[] {
  const { extensions, expected, hasExtensions, configurations, captures } = facts;
  if (extensions === null)
    return [notChecked(ID, 'The system extensions of this Mac cannot be listed.')];
  if (!hasExtensions)
    return [
      notChecked(
        ID,
        'This app contains no network extensions: it captures only through its proxy.',
      ),
    ];
  return [
    ...expected.map((bundleId) => checkOne(bundleId, stateOf(extensions, bundleId))),
    ...(configurations ?? []).map((one) => checkConfiguration(one, captures)),
  ];
}

/** What the running agent reports about its attempts to set up the extensions. */
export function checkActivation(report: AgentReport | null): Check[] {
  const lines = problemsOf(report, 'network extensions');
  if (lines.length === 0) return [];
  return [
    problem(
      `${ID}:activation`,
      `The agent could not set up the network extensions completely: ${toSentence(lines.join('; '))}`,
      'IT',
      'Deliver the profile with payloads=full and the team id that the app is signed with; the agent tries again by itself.',
    ),
  ];
}

const titles = { filter: 'content filter', proxy: 'transparent proxy' } as const;

/** Checks the network configuration, without which an active extension does nothing. */
function checkConfiguration(
  { name, present, enabled }: NetworkConfiguration,
  captures: boolean | null,
): Check {
  const own = `${ID}:${name}`;
  const title = titles[name];
  if (name === 'proxy' && captures === false)
    return notChecked(own, 'The transparent proxy is not needed: no host is captured.');
  if (present && enabled) return ok(own, `The ${title} is configured and on.`);
  return problem(
    own,
    present ? `The ${title} is switched off.` : `The ${title} is not configured.`,
    'IT',
    present
      ? 'Switch it on in System Settings, Network, Filters or VPN; a profile with payloads=full keeps it on.'
      : 'Deliver the profile with payloads=full, which configures it; or restart the app, which asks the user.',
  );
}

/** A replaced extension is listed next to the running one until the Mac restarts. */
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

/** Extensions of other products that handle the same connections. */
export const otherExtensions = (
  extensions: readonly ExtensionState[],
  wanted: readonly string[],
): string =>
  formatNames(
    extensions
      .filter((one) => !wanted.includes(one.id) && one.state === 'activated enabled')
      .map((one) => one.id),
  );

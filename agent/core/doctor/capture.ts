import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Check, notChecked, ok, problem, sudoAdvice } from './check.ts';
import { formatNames, toSentence } from './format.ts';

/**
 * The hosts that a configuration captures, or why they are unknown. `private`: this user may not
 * read the state folder. `damaged`: the stored record cannot be parsed. `none`: this computer has
 * no configuration yet.
 */
export type CapturedHosts = readonly string[] | 'private' | 'damaged' | 'none';

export interface CaptureFacts {
  os: string;
  report: AgentReport | null;
  /** The captured hosts of the last configuration on disk. */
  storedHosts: CapturedHosts;
  /** Whether problems with the managed preferences have switched capture off. */
  managedProblems: boolean;
  /** Whether `nft` is installed, and whether the kernel is 5.12 or newer; only on Linux. */
  nft: { installed: boolean; kernel: string; kernelIsNewEnough: boolean } | null;
  /** Capabilities for redirection that the agent lacks on Linux; null: unknown. */
  missingRights: readonly string[] | null;
  proxyPort: number | null;
  /** Another program that listens on that port. */
  portHolder: string | null;
  /** Whether an agent runs that does not answer: it may hold the port. */
  isSilent: boolean;
}

/** Whether connections to captured hosts reach the agent. */
export function checkCapture(facts: CaptureFacts): Check[] {
  const hosts = findCapturedHosts(facts);
  const isNeeded = capturesAny(hosts);
  return [
    checkHosts(facts, hosts),
    ...(facts.os === 'linux' ? [checkTransparent(facts, isNeeded)] : []),
    ...(facts.os === 'macos' ? [checkHandedOver(facts, isNeeded)] : []),
    checkExplicit(facts, hosts),
    ...checkReporting(facts),
  ];
}

/** Returns the hosts that a running agent captures, or else those of the stored configuration. */
export function findCapturedHosts({
  report,
  storedHosts,
}: Pick<CaptureFacts, 'report' | 'storedHosts'>): CapturedHosts {
  if (!report) return storedHosts;
  if (report.capture.enabled) return report.capture.hosts;
  return report.applied === null ? 'none' : [];
}

/** Returns whether any host is captured; null if unknown. */
export const capturesAny = (hosts: CapturedHosts): boolean | null =>
  typeof hosts === 'string' ? null : hosts.length > 0;

function checkHosts({ report, managedProblems }: CaptureFacts, hosts: CapturedHosts): Check {
  const id = 'capture';
  const [dropped] = problemsOf(report, 'guard');
  if (dropped !== undefined)
    return problem(
      id,
      `The agent does not capture all hosts that Guard names: ${toSentence(dropped)}`,
      'admin',
      'Remove them from the Guard layer: only AI hosts of the catalog can be captured.',
    );
  if (hosts === 'private')
    return notChecked(id, 'Which hosts are captured is in the state folder.', sudoAdvice);
  if (hosts === 'damaged')
    return notChecked(id, 'Which hosts are captured is not known: device.json is damaged.');
  if (managedProblems && (hosts === 'none' || hosts.length === 0))
    return ok(id, 'Capture is off because of the managed preferences (see above).');
  if (hosts === 'none')
    return notChecked(
      id,
      'Whether capture is on is not known, because this computer has no configuration yet.',
    );
  if (hosts.length === 0) return ok(id, 'Capture is off on this computer, as configured in Guard.');
  const processes = report?.capture.processes ?? [];
  const only = processes.length > 0 ? `, limited to ${formatNames(processes)}` : '';
  return ok(id, `Capture is on for ${formatNames(hosts)}${only}.`);
}

function checkTransparent(facts: CaptureFacts, isNeeded: boolean | null): Check {
  const id = 'door-transparent';
  const [why] = problemsOf(facts.report, 'capture (transparent)');
  const cause = isNeeded || why !== undefined ? causeOf(facts, why) : null;
  if (cause)
    return problem(
      id,
      `Connections cannot be redirected to the agent: ${cause.seen}`,
      'IT',
      cause.what,
    );
  if (isNeeded === null)
    return notChecked(id, 'Whether connections are redirected depends on the captured hosts.');
  if (!isNeeded) return ok(id, 'Nothing is redirected, as there is nothing to capture.');
  if (!facts.report) return notChecked(id, 'Connections are redirected only while an agent runs.');
  return ok(id, 'Connections to these hosts are redirected to the agent.');
}

/** Returns what this computer lacks for capture, else the agent's error. */
function causeOf(
  { nft, missingRights }: CaptureFacts,
  why: string | undefined,
): { seen: string; what: string } | null {
  if (nft && !nft.installed)
    return {
      seen: 'the program nft is not installed.',
      what: 'Install the package nftables; the agent tries again by itself.',
    };
  if (nft && !nft.kernelIsNewEnough)
    return {
      seen: `Linux ${nft.kernel} is too old: its nftables cannot tie a table to a process.`,
      what: 'Update the kernel to 5.12 or newer; until then only programs that use the proxy are captured.',
    };
  if (missingRights && missingRights.length > 0)
    return {
      seen: `it lacks ${missingRights.join(' and ')}.`,
      what: 'Run the agent as a service of root, or give its service these capabilities.',
    };
  if (why === undefined) return null;
  return { seen: toSentence(why), what: adviceFor(why) };
}

function adviceFor(why: string): string {
  if (/group/.test(why)) return 'Run the agent as root, or give its service CAP_SETGID as well.';
  if (/firewall/.test(why))
    return 'Let the firewall accept redirected connections: "Firewalls" in docs/capture.md has the rules for nftables, ufw and firewalld.';
  return 'Look for other software that changes nftables or restricts the agent (containers, SELinux, AppArmor).';
}

function checkHandedOver({ report }: CaptureFacts, isNeeded: boolean | null): Check {
  const id = 'door-handed-over';
  const [why] = problemsOf(report, 'capture (handed-over)');
  if (why !== undefined)
    return problem(
      id,
      `The network extension cannot hand connections over: ${toSentence(why)}`,
      'IT',
      'Restart the agent; if that does not help, send this page and the log of the agent to support.',
    );
  if (isNeeded === null)
    return notChecked(id, 'Whether connections are handed over depends on the captured hosts.');
  if (!isNeeded) return ok(id, 'Nothing is handed over, as there is nothing to capture.');
  if (!report) return notChecked(id, 'Connections are handed over only while an agent runs.');
  return ok(id, 'The agent accepts connections from the network extension.');
}

function checkExplicit(
  { report, proxyPort, portHolder, isSilent }: CaptureFacts,
  hosts: CapturedHosts,
): Check {
  const id = 'door-explicit';
  if (proxyPort === null)
    return ok(id, 'The proxy on loopback is switched off (AGENT_PROXY_PORT).');
  const [why] = problemsOf(report, 'capture (explicit)');
  if (isSilent)
    return notChecked(id, 'Only an agent that answers knows whether its proxy listens.');
  if (hosts === 'private' && portHolder !== null)
    return notChecked(
      id,
      `Port ${proxyPort} is in use; only the user that runs the agent can see whether its proxy uses it.`,
      sudoAdvice,
    );
  if (portHolder === null && why?.startsWith('more than '))
    return problem(
      id,
      `There are ${toSentence(why)}`,
      'user',
      'End the program that opens so many.',
    );
  if (portHolder !== null || why !== undefined)
    return problem(
      id,
      portHolder === null
        ? `The proxy of the agent cannot listen on port ${proxyPort}: ${toSentence(why ?? '')}`
        : `The proxy of the agent cannot listen on port ${proxyPort}: ${portHolder} uses it.`,
      'IT',
      'End the other program, or set AGENT_PROXY_PORT to a free port; then change it in every program that uses this proxy.',
    );
  if (report?.doors.includes('explicit'))
    return ok(id, `The proxy of the agent listens on 127.0.0.1:${proxyPort}.`);
  return ok(
    id,
    capturesAny(hosts) !== false
      ? `Port ${proxyPort} is free for the proxy of the agent.`
      : `The proxy of the agent is not needed now, and port ${proxyPort} is free for it.`,
  );
}

/** Part of a problem with a program that refuses certificates, as `interceptor.ts` reports it. */
const REFUSED = "does not accept this device's certificate";

/** Problems with exchanges that reached the agent. */
function checkReporting({ report }: CaptureFacts): Check[] {
  const lines = problemsOf(report, 'capture', 'capture spool', 'capture upload', 'policy check')
    // Another check names these programs.
    .filter((line) => !line.includes(REFUSED));
  if (lines.length === 0) return [];
  return [
    problem(
      'captured-exchanges',
      `Not every exchange was captured: ${toSentence(lines.slice(0, 3).join('; '))}`,
      'IT',
      'Send this page to support.',
    ),
  ];
}

import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Check, notChecked, ok, problem } from './check.ts';
import { formatNames, plural, toSentence } from './format.ts';
import { splitUnreadFiles, withoutPart } from '../unread-files.ts';

export interface NamedProxy {
  /** The variable, or `the system's settings`. */
  where: string;
  /** host:port, without user and password */
  address: string;
}

export interface EnvironmentFacts {
  /** Null: unknown. */
  captures: boolean | null;
  proxies: readonly NamedProxy[];
  /** The agent's own proxy, host:port. */
  ownProxy: string | null;
  /** Variables such as OPENAI_BASE_URL that redirect AI programs. */
  redirections: readonly { variable: string; host: string }[];
  /** Active VPN interfaces. */
  tunnels: readonly string[];
  /** Active interfaces to networks of containers and virtual machines, on Linux. */
  bridges: readonly string[];
  /** Active network extensions of other products, on macOS. */
  otherExtensions: string;
  report: AgentReport | null;
  /** Capabilities that the agent lacks on Linux; null: unknown. */
  missingRights: readonly string[] | null;
  /** Whether lsof exists, on macOS. */
  canListSockets: boolean;
}

/** Other causes on this computer that hide flows or prevent capture. */
export const checkEnvironment = (facts: EnvironmentFacts): Check[] => [
  checkAttribution(facts),
  checkProxies(facts),
  checkRedirections(facts),
  checkTunnels(facts),
  ...noteBridges(facts),
  ...checkOtherProblems(facts),
];

function checkAttribution({ report, missingRights, canListSockets }: EnvironmentFacts): Check {
  const id = 'flows';
  const [why] = problemsOf(report, 'flows', 'observation');
  if (why !== undefined || !canListSockets)
    return problem(
      id,
      `Network flows are not observed: ${toSentence(why ?? 'the sockets of this computer cannot be listed')}`,
      'IT',
      'Let the agent list sockets: a sandbox or a security policy refuses it.',
    );
  if (missingRights && missingRights.length > 0)
    return problem(
      id,
      `Flows are observed, but the agent lacks ${missingRights.join(', ')}: processes of other users, short connections and host names are missed.`,
      'IT',
      'Run the agent as a service of root, or give its service these capabilities.',
    );
  if (!report) return notChecked(id, 'Flows are observed only while an agent runs.');
  return ok(id, 'Flows can be observed, with the processes that they belong to.');
}

function checkProxies({ captures, proxies, ownProxy }: EnvironmentFacts): Check {
  const id = 'other-proxies';
  const others = proxies.filter(({ address }) => address !== ownProxy);
  if (others.length === 0) return ok(id, 'No other proxy is set for programs here.');
  const list = formatNames(others.map(({ where, address }) => `${address} (${where})`));
  if (captures === null)
    return notChecked(
      id,
      `Programs here use the proxy ${list}; whether it matters depends on the captured hosts.`,
    );
  if (!captures) return ok(id, `Programs here use the proxy ${list}: flows show its address.`);
  return problem(
    id,
    `Programs here use the proxy ${list}: they connect to it instead of to AI hosts, and are not captured.`,
    'IT',
    'Exclude the AI hosts from the proxy (NO_PROXY, or the proxy file of the system), or capture at the proxy.',
  );
}

function checkRedirections({ redirections }: EnvironmentFacts): Check {
  const id = 'ai-gateways';
  if (redirections.length === 0)
    return ok(id, 'No variable here sends AI programs to another host.');
  const list = formatNames(redirections.map(({ variable, host }) => `${host} (${variable})`));
  return problem(
    id,
    `AI programs that are started here connect to ${list} instead of to their provider: hosts outside the catalog are not observed.`,
    'user',
    'Remove the variable. If this gateway is intended, ask an administrator to monitor the gateway itself.',
  );
}

function checkTunnels({ tunnels, otherExtensions }: EnvironmentFacts): Check {
  const id = 'vpn';
  const parts = [
    ...(tunnels.length > 0 ? [`a VPN is up (${formatNames(tunnels)})`] : []),
    ...(otherExtensions ? [`other network extensions are active (${otherExtensions})`] : []),
  ];
  if (parts.length === 0) return ok(id, 'No VPN and no other network extension is active.');
  return ok(
    id,
    `Note: ${parts.join(', and ')}. If flows or captures are missing, check whether they appear without it.`,
  );
}

/** Notes networks whose connections the agent does not see. */
const noteBridges = ({ bridges, captures }: EnvironmentFacts): Check[] =>
  bridges.length === 0 || captures === false
    ? []
    : [
        ok(
          'containers',
          `Note: containers or virtual machines have networks of their own here (${formatNames(bridges)}). Their connections are neither observed nor captured.`,
        ),
      ];

/** Parts of the agent that other checks cover. */
const coveredProblem =
  /^(managed preferences|control plane|trusted roots|identity|keys|enroll|renewal|configuration|channel|guard|capture|capture \(.*?\)|capture spool|capture upload|policy check|system trust|network extensions|flows|observation): /;

function checkOtherProblems({ report }: EnvironmentFacts): Check[] {
  const rest = (report?.problems ?? []).filter((line) => !coveredProblem.test(line));
  const { unread_files, problems } = splitUnreadFiles(rest);
  return [
    ...(unread_files.length > 0 ? [noteFiles(unread_files.map(withoutPart))] : []),
    ...(problems.length > 0 ? [checkOther(problems)] : []),
  ];
}

/** Notes files of users that cannot be read. The agent works without them. */
const noteFiles = (lines: readonly string[]): Check =>
  ok(
    'inventory-files',
    `Note: the inventory could not read all of ${plural(lines.length, 'file or folder', 'files and folders')}: ${toSentence(firstLines(lines))}`,
  );

const checkOther = (lines: readonly string[]): Check =>
  problem(
    'agent-problems',
    `The agent reports: ${toSentence(firstLines(lines))}`,
    'IT',
    'If there are problems above, fix those first; if these lines stay, send this page to support.',
  );

const MAX_LINES = 5;

function firstLines(lines: readonly string[]): string {
  const rest = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** The HTTPS proxy and the proxy auto-configuration file in the output of `scutil --proxy`. */
export function parseProxySettings(text: string): NamedProxy[] {
  const value = (name: string): string | undefined =>
    new RegExp(`^\\s*${name} : (.+)$`, 'm').exec(text)?.[1]?.trim();
  const where = "the system's settings";
  const found: NamedProxy[] = [];
  if (value('HTTPSEnable') === '1')
    found.push({ where, address: `${value('HTTPSProxy')}:${value('HTTPSPort') ?? 443}` });
  if (value('ProxyAutoConfigEnable') === '1')
    found.push({ where, address: `as ${addressOf(value('ProxyAutoConfigURLString') ?? '')} says` });
  return found;
}

/** host:port of a URL, or of text like `proxy:8080`, without user and password. */
export function addressOf(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url?.host || 'an address that cannot be read';
}

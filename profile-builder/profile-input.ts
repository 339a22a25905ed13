import { X509Certificate } from 'node:crypto';
import type { HookFailMode, RecordingLevel } from '#contract/guard.ts';
import { checkCaptureHosts } from './capture-hosts.ts';
import { ProfileError } from './profile-error.ts';

export interface ProfileInput {
  /** URL of the device listener, https. Identifiers derive from it, so it must not change. */
  apiUrl: string;
  apiKey: string;
  /** One PEM certificate each. There are several while a tenant replaces its root. */
  rootCertificates: string[];
  /** Hosts for which capture is enabled from the start. Empty by default. */
  hosts: string[];
  /** `full` adds the payloads that avoid prompts by macOS. */
  payloads?: 'full' | undefined;
  /** What coding agents with managed preferences report. Without it, they are not made to report. */
  codingAgents?: RecordingLevel | undefined;
  /** The answer of the hooks of coding agents while no agent runs. Without it, there are no hooks. */
  toolChecks?: HookFailMode | undefined;
  processes?: string[];
  appName: string;
  bundleId: string;
  teamId: string;
  organization?: string;
  /** Milliseconds since 1970. Used to reject expired roots. */
  now: number;
}

export interface CheckedInput extends Required<
  Omit<
    ProfileInput,
    'rootCertificates' | 'organization' | 'payloads' | 'codingAgents' | 'toolChecks' | 'now'
  >
> {
  payloads: 'full' | undefined;
  codingAgents: RecordingLevel | undefined;
  toolChecks: HookFailMode | undefined;
  organization: string | undefined;
  roots: X509Certificate[];
}

/** @throws ProfileError with one line about the first invalid value */
export function checkInput(input: ProfileInput): CheckedInput {
  const { apiUrl, apiKey, appName, bundleId, teamId, organization, processes = [] } = input;
  const texts = {
    'API URL': apiUrl,
    'API key': apiKey,
    'app name': appName,
    'bundle id': bundleId,
    'team id': teamId,
    organization: organization ?? [],
    process: processes,
  };
  for (const [name, value] of Object.entries(texts))
    for (const text of [value].flat()) checkText(name, text);

  if (!isServiceUrl(apiUrl)) throw new ProfileError(`API URL: expected ${SERVICE_URL}`);
  expectFormat('bundle id', bundleId, isBundleId, 'letters, digits, "-" and at least one "."');
  expectFormat('team id', teamId, isTeamId, 'ten of A-Z and 0-9');
  return {
    apiUrl,
    apiKey,
    appName,
    bundleId,
    teamId,
    organization,
    processes,
    payloads: input.payloads,
    codingAgents: input.codingAgents,
    toolChecks: input.toolChecks,
    hosts: expectHosts(input.hosts),
    roots: readRoots(input.rootCertificates, input.now),
  };
}

/**
 * Text that device management would alter. Jamf, Iru and Fleet substitute `$NAME`, Intune
 * `{{name}}`, Mosyle and Hexnode `%name%`. XML does not allow control characters.
 */
const templateVariables: [RegExp, string][] = [
  [/^\s*$/, 'is empty'],
  [/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u, 'has a character that XML cannot represent'],
  [/\$[A-Za-z_{]/, 'has "$" before a name, which device management would substitute'],
  [/\{\{|\}\}/, 'has "{{" or "}}", which device management would substitute'],
  [/%[A-Za-z_]+%/, 'has a name between "%", which device management would substitute'],
];

function checkText(name: string, text: string): void {
  const reason = templateVariables.find(([pattern]) => pattern.test(text))?.[1];
  if (reason !== undefined) throw new ProfileError(`${name}: ${reason}`);
}

function expectFormat(
  name: string,
  text: string,
  ok: (text: string) => boolean,
  form: string,
): void {
  if (!ok(text)) throw new ProfileError(`${name}: expected ${form}, found ${JSON.stringify(text)}`);
}

const isBundleId = (text: string): boolean => /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text);
const isTeamId = (text: string): boolean => /^[A-Z0-9]{10}$/.test(text);

/**
 * Agents accept no other URL, even on loopback: a device authenticates by certificate, which
 * requires TLS.
 */
const SERVICE_URL = 'an https URL without user, password, query, fragment or blanks';

function isServiceUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || /\s/.test(text)) return false;
  return url.username + url.password + url.search + url.hash === '';
}

function expectHosts(names: string[]): string[] {
  const read = checkCaptureHosts(names);
  if ('error' in read) throw new ProfileError(read.error);
  return read.hosts;
}

/**
 * The roots to trust, oldest first. Payloads are named by this order, so it must not depend on the
 * order in a file. Duplicates are dropped.
 *
 * @param now milliseconds since 1970
 * @throws ProfileError without any root, and for a certificate that is not a CA or not valid at
 * `now`
 */
function readRoots(pems: string[], now: number): X509Certificate[] {
  if (pems.length === 0)
    throw new ProfileError('expected at least one root certificate, found none');

  const roots = pems.map((pem, i) => readRoot(pem, `root certificate ${i + 1}`, now));
  const distinct = [...new Map(roots.map((root) => [root.fingerprint256, root])).values()];
  return distinct.sort((a, b) => a.validFromDate.getTime() - b.validFromDate.getTime());
}

function readRoot(pem: string, name: string, now: number): X509Certificate {
  let root: X509Certificate;
  try {
    root = new X509Certificate(pem);
  } catch {
    throw new ProfileError(`${name}: expected a certificate as PEM, found something else`);
  }
  const subject = JSON.stringify(root.subject);
  const { validFromDate: from, validToDate: to } = root;
  if (!root.ca) throw new ProfileError(`${name}: expected a CA certificate, found ${subject}`);

  if (now < from.getTime())
    throw new ProfileError(`${name}: ${subject} is not valid before ${from.toISOString()}`);

  if (now > to.getTime())
    throw new ProfileError(`${name}: ${subject} expired on ${to.toISOString()}`);

  return root;
}

import { X509Certificate } from 'node:crypto';
import { checkInterceptHosts } from '#agent/core/host-catalog.ts';
import { ProfileError } from './profile-error.ts';

export interface ProfileInput {
  apiUrl: string;
  apiKey: string;
  /** PEM, one certificate each; more than one while a tenant changes its root. */
  rootCertificates: string[];
  /** Hosts whose capture is on from the start; none is the default. */
  hosts: string[];
  processes?: string[];
  appName: string;
  bundleId: string;
  teamId: string;
  organization?: string;
}

export interface CheckedInput extends Required<
  Omit<ProfileInput, 'rootCertificates' | 'organization'>
> {
  organization: string | undefined;
  roots: X509Certificate[];
}

/** Throws ProfileError with one line for the first thing that no profile may hold. */
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
  for (const [name, value] of Object.entries(texts)) {
    for (const text of [value].flat()) checkText(name, text);
  }
  if (!isHttpUrl(apiUrl)) {
    throw new ProfileError('API URL: expected an http or https URL without user and password');
  }
  expectForm('bundle id', bundleId, isBundleId, 'letters, digits, "-" and at least one "."');
  expectForm('team id', teamId, isTeamId, 'ten of A-Z and 0-9');
  return {
    apiUrl,
    apiKey,
    appName,
    bundleId,
    teamId,
    organization,
    processes,
    hosts: checkHosts(input.hosts),
    roots: readRoots(input.rootCertificates),
  };
}

/**
 * What device management would not deliver as it was given: Jamf and Fleet put values in for
 * `$NAME`, Intune for `{{name}}`, and XML has no control characters.
 */
const refusedText: [RegExp, string][] = [
  [/^\s*$/, 'is empty'],
  [/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u, 'has a character that XML does not have'],
  [/\$[A-Za-z_{]/, 'has "$" before a name, which device management would replace'],
  [/\{\{|\}\}/, 'has "{{" or "}}", which device management would replace'],
];

function checkText(name: string, text: string): void {
  const reason = refusedText.find(([pattern]) => pattern.test(text))?.[1];
  if (reason !== undefined) throw new ProfileError(`${name}: ${reason}`);
}

function expectForm(name: string, text: string, ok: (text: string) => boolean, form: string): void {
  if (!ok(text)) throw new ProfileError(`${name}: expected ${form}, found ${JSON.stringify(text)}`);
}

const isBundleId = (text: string): boolean => /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text);
const isTeamId = (text: string): boolean => /^[A-Z0-9]{10}$/.test(text);

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
}

function checkHosts(names: string[]): string[] {
  const { hosts, unknown, refused } = checkInterceptHosts(names);
  if (refused.length > 0) {
    throw new ProfileError(`banking, health and mail hosts are never captured: ${listed(refused)}`);
  }
  if (unknown.length > 0) {
    throw new ProfileError(`not a host of the AI-host catalog: ${listed(unknown)}`);
  }
  return hosts;
}

const listed = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** The same root given twice is one root: payload identifiers must differ. */
function readRoots(pems: string[]): X509Certificate[] {
  if (pems.length === 0) {
    throw new ProfileError('expected at least one root certificate, found none');
  }
  const roots = pems.map((pem, i) => readRoot(pem, `root certificate ${i + 1}`));
  return [...new Map(roots.map((root) => [root.fingerprint256, root])).values()];
}

function readRoot(pem: string, name: string): X509Certificate {
  let root: X509Certificate;
  try {
    root = new X509Certificate(pem);
  } catch {
    throw new ProfileError(`${name}: expected a certificate as PEM, found something else`);
  }
  if (!root.ca) {
    const found = JSON.stringify(root.subject);
    throw new ProfileError(`${name}: expected a CA certificate, found that of ${found}`);
  }
  return root;
}

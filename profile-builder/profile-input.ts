import type { X509Certificate } from 'node:crypto';
import { checkCaptureHosts } from './capture-hosts.ts';
import { ProfileError } from './profile-error.ts';
import { readRoots } from './root-certificates.ts';

export interface ProfileInput {
  /** Where the device listener is: https. Identifiers follow from it, so it stays. */
  apiUrl: string;
  apiKey: string;
  /** PEM, one certificate each; more than one while a tenant changes its root. */
  rootCertificates: string[];
  /** Hosts whose capture is on from the start; none is the default. */
  hosts: string[];
  /** `full` adds the payloads without which macOS asks the user something. */
  payloads?: 'full' | undefined;
  processes?: string[];
  appName: string;
  bundleId: string;
  teamId: string;
  organization?: string;
  /** Milliseconds since 1970: a root that is out of date is refused. */
  now: number;
}

export interface CheckedInput extends Required<
  Omit<ProfileInput, 'rootCertificates' | 'organization' | 'payloads' | 'now'>
> {
  payloads: 'full' | undefined;
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
  if (!isServiceUrl(apiUrl)) throw new ProfileError(`API URL: expected ${serviceUrl}`);
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
    payloads: input.payloads,
    hosts: expectHosts(input.hosts),
    roots: readRoots(input.rootCertificates, input.now),
  };
}

/**
 * What device management would not deliver as it was given: Jamf, Iru and Fleet put values in for
 * `$NAME`, Intune for `{{name}}`, Mosyle and Hexnode for `%name%`, and XML has no control
 * characters.
 */
const refusedText: [RegExp, string][] = [
  [/^\s*$/, 'is empty'],
  [/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u, 'has a character that XML does not have'],
  [/\$[A-Za-z_{]/, 'has "$" before a name, which device management would replace'],
  [/\{\{|\}\}/, 'has "{{" or "}}", which device management would replace'],
  [/%[A-Za-z_]+%/, 'has a name between "%", which device management would replace'],
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

/** Agents take nothing else, on loopback neither: a device shows its certificate over TLS only. */
const serviceUrl = 'an https URL without user, password, query, fragment or blanks';

function isServiceUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || /\s/.test(text)) return false;
  return url.username + url.password + url.search + url.hash === '';
}

function expectHosts(names: string[]): string[] {
  const read = checkCaptureHosts(names);
  if ('problem' in read) throw new ProfileError(read.problem);
  return read.hosts;
}

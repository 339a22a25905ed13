import { basename } from 'node:path';
import { InstallerError } from '../installer-error.ts';
import { readNotaryKey } from '../notary/credentials.ts';
import { notarize } from '../notary/notarize.ts';
import { type Clock, systemClock } from '../remote/retry.ts';
import type { PackageSigner } from './package-signer.ts';
import { readPassword } from './config.ts';
import { createSigner } from './create-signer.ts';
import { loadInstallerIdentity } from './installer-identity.ts';
import { APPLE_TIMESTAMP_URL } from './timestamp/request.ts';

/**
 * Removes trailing slashes.
 *
 * @throws InstallerError, naming the option, for anything but http or https
 */
export function readAddress(option: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol)) return value.replace(/\/+$/, '');
  throw new InstallerError(`${option}: expected an http or https URL, found something else`);
}

/** The signing and notarization options, for `parseArgs`. */
export const signingOptions = {
  identity: { type: 'string' },
  'identity-password-env': { type: 'string' },
  'timestamp-url': { type: 'string' },
  'notary-key': { type: 'string' },
  'notary-key-id': { type: 'string' },
  'notary-issuer': { type: 'string' },
  'notary-url': { type: 'string' },
  's3-url': { type: 'string' },
  'ticket-url': { type: 'string' },
} as const;

type Option = keyof typeof signingOptions;
/** `out` becomes the name of the submission in Apple's list. */
export type SigningValues = { [Name in Option | 'out']?: string | undefined };

export interface Signing {
  signer?: PackageSigner;
  /** The team in the certificate. */
  teamId?: string | null;
  /** Notarizes a finished, signed package and staples the ticket to it. */
  notarize?: (file: string, log: (message: string) => void) => Promise<void>;
}

const APPLE_NOTARY_URL = 'https://appstoreconnect.apple.com/notary/v2';
const APPLE_S3_URL = 'https://s3.us-west-2.amazonaws.com';
const APPLE_TICKET_URL =
  'https://api.apple-cloudkit.com/database/1/com.apple.gk.ticket-delivery/production/public/records/lookup';

/**
 * Reads keys and passwords. Returns undefined without --identity.
 *
 * @throws InstallerError naming the problem
 */
export async function readSigningOptions(
  values: SigningValues,
  clock: Clock = systemClock,
): Promise<Signing> {
  const { identity: path } = values;
  if (path === undefined) {
    refuse(values, Object.keys(signingOptions) as Option[], '--identity');
    return {};
  }
  const notarization = await readNotaryOptions(values, clock);
  const password = choosePassword(values['identity-password-env']);
  const { teamId, ...identity } = await loadInstallerIdentity(path, password, clock.now());
  const signer = createSigner(identity, { timestampUrl: chooseTimestampUrl(values), clock });
  return { signer, teamId, ...(notarization ? { notarize: notarization } : {}) };
}

/** Rejects options that require another one. */
function refuse(values: SigningValues, options: readonly Option[], needed: string): void {
  const option = options.find((option) => values[option] !== undefined);
  if (option) throw new InstallerError(`--${option}: requires ${needed}`);
}

/**
 * Reads the password from a variable. The variable's name is not printed, because it may be the
 * password itself, given by mistake.
 */
function choosePassword(variable: string | undefined): string {
  if (variable === undefined)
    throw new InstallerError('--identity: requires --identity-password-env');

  const password = readPassword(variable);
  if (password !== null) return password;
  throw new InstallerError(
    '--identity-password-env: expected the name of a non-empty environment variable',
  );
}

function chooseTimestampUrl(values: SigningValues): string | null {
  const value = values['timestamp-url'] ?? APPLE_TIMESTAMP_URL;
  return value === 'none' ? null : readAddress('--timestamp-url', value);
}

async function readNotaryOptions(
  values: SigningValues,
  clock: Clock,
): Promise<Signing['notarize'] | null> {
  const { 'notary-key': path, 'notary-key-id': keyId, 'notary-issuer': issuer } = values;
  if (!path && !keyId && !issuer) {
    refuse(values, ['notary-url', 's3-url', 'ticket-url'], '--notary-key');
    return null;
  }
  if (!path || !keyId || !issuer)
    throw new InstallerError(
      'expected --notary-key, --notary-key-id and --notary-issuer together, found only some',
    );

  const addresses = readAddresses(values);
  const credentials = { key: await readNotaryKey(path), keyId, issuer };
  const name = basename(values.out ?? 'package.pkg');
  return (file, log) => notarize(file, { ...addresses, credentials, clock, name }, log);
}

function readAddresses(values: SigningValues) {
  const notaryUrl = readAddress('--notary-url', values['notary-url'] ?? APPLE_NOTARY_URL);
  if (!notaryUrl.endsWith('/notary/v2'))
    throw new InstallerError('--notary-url: expected an address that ends in /notary/v2');

  return {
    notaryUrl,
    s3Url: readAddress('--s3-url', values['s3-url'] ?? APPLE_S3_URL),
    ticketUrl: readAddress('--ticket-url', values['ticket-url'] ?? APPLE_TICKET_URL),
  };
}

import { nameOf } from '#pki/identity-chain.ts';
import { IdentityError } from '#pki/identity-error.ts';
import { type Identity, loadIdentity } from '#pki/pkcs12.ts';
import { InstallerError } from '../installer-error.ts';

/** What Apple lets sign packages that are installed from outside its store. */
const installerPurpose = '1.2.840.113635.100.4.13';

/**
 * A Developer ID Installer identity from a PKCS#12 file, in date at `now` (milliseconds). Throws
 * InstallerError: `--identity FILE: ` and what is wrong with it.
 */
export async function loadInstallerIdentity(
  path: string,
  password: string,
  now: number,
): Promise<Identity> {
  const identity = await loadIdentity(path, password, now).catch((error: Error) => {
    if (!(error instanceof IdentityError)) throw error;
    throw new InstallerError(`--identity ${error.message}`);
  });
  const [own] = identity.chain;
  // What Node calls keyUsage are the extended ones, the purposes.
  if (own.keyUsage?.includes(installerPurpose)) return identity;
  throw new InstallerError(
    `--identity ${path}: ${nameOf(own)} is not for packages: ` +
      `expected a Developer ID Installer certificate (purpose ${installerPurpose})`,
  );
}

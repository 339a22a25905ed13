import { fieldOf, readCertificate } from '#pki/cms/parsed-certificate.ts';
import { IdentityError, nameOf } from '#pki/identity-chain.ts';
import { type Identity, loadIdentity } from '#pki/pkcs12.ts';
import { checkChain } from '../inspect/signature/chain.ts';
import { InstallerError } from '../installer-error.ts';

/** The purpose of certificates for packages that are distributed outside Apple's store. */
const INSTALLER_PURPOSE = '1.2.840.113635.100.4.13';

export interface InstallerIdentity extends Identity {
  /** The team in the certificate. */
  teamId: string | null;
}

/**
 * Loads a Developer ID Installer identity from a PKCS#12 file. It must be valid at `now`
 * (milliseconds), with a chain that `inspect` accepts.
 *
 * @throws InstallerError: `--identity FILE: ` and the problem
 */
export async function loadInstallerIdentity(
  path: string,
  password: string,
  now: number,
): Promise<InstallerIdentity> {
  const identity = await loadIdentity(path, password, now).catch((error: Error) => {
    if (!(error instanceof IdentityError)) throw error;
    throw new InstallerError(`--identity ${error.message}`);
  });
  const [own] = identity.chain;
  // Node's keyUsage contains the extended key usages, which are the purposes.
  if (!own.keyUsage?.includes(INSTALLER_PURPOSE))
    throw new InstallerError(
      `--identity ${path}: ${nameOf(own)} cannot sign packages: ` +
        `expected a Developer ID Installer certificate (purpose ${INSTALLER_PURPOSE})`,
    );
  try {
    const [leaf, ...issuers] = identity.chain.map(({ raw }) => readCertificate(raw));
    const [wrong] = checkChain([leaf!, ...issuers], now);
    if (wrong) throw new InstallerError(wrong);
    return { ...identity, teamId: fieldOf(leaf!.details, 'OU') };
  } catch (error) {
    throw new InstallerError(`--identity ${path}: ${(error as Error).message}`, { cause: error });
  }
}

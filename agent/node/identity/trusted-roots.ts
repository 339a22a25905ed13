import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { errnoOf } from '../state/atomic-file.ts';

/** Marks the name of a file that may be missing, as in the unit files of systemd. */
const OPTIONAL = '-';

/**
 * Returns the roots to trust, as PEM: those of this program and of the system, those of the given
 * file, and those that the control plane sent, for example a new one before a rotation. The file may
 * be missing if its name begins with `-`. Node reads the roots of the system once per process, so
 * call this only once the managed preferences exist: the profile that contains them also installs
 * the root.
 *
 * Returns a one-line error if the file contains no usable certificate.
 */
export function readTrustedRoots(
  file: string | null,
  additional: readonly string[] = [],
): { roots: string[] } | { error: string } {
  const knownRoots = [
    ...getCACertificates('default'),
    ...getCACertificates('system'),
    ...additional,
  ];
  if (file === null) return { roots: [...new Set(knownRoots)] };
  const isOptional = file.startsWith(OPTIONAL);
  const path = isOptional ? file.slice(OPTIONAL.length) : file;
  try {
    const fileRoots = parseCertificates(readFileSync(path, 'utf8'));
    if (fileRoots.length === 0) return { error: `${path}: holds no PEM certificate` };
    return { roots: [...new Set([...knownRoots, ...fileRoots])] };
  } catch (error) {
    const code = errnoOf(error);
    if (isOptional && code === 'ENOENT') return { roots: [...new Set(knownRoots)] };
    const reason =
      code?.startsWith('E') && !code.startsWith('ERR') ? `cannot be read: ${code}` : '';
    return { error: `${path}: ${reason || 'holds a malformed certificate'}` };
  }
}

/**
 * Returns the certificates of a file, each in canonical form.
 *
 * @throws Error if one is malformed
 */
export function parseCertificates(text: string): string[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block).toString());
}

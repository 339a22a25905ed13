import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { errnoOf } from './atomic-file.ts';

/**
 * The roots to trust, as PEM: those of this program and of the system, those of the given file, and
 * those that the service itself named, as it does when it gets a new one. The system's are read once per process by Node, so call this only when the managed
 * preferences are there: the profile that brings them brings the root as well.
 *
 * Answers one line if the file holds no usable certificate.
 */
export function readTrustedRoots(
  file: string | null,
  named: readonly string[] = [],
): { roots: string[] } | { error: string } {
  const known = [...getCACertificates('default'), ...getCACertificates('system'), ...named];
  if (file === null) return { roots: [...new Set(known)] };
  try {
    const given = certificatesIn(readFileSync(file, 'utf8'));
    if (given.length === 0) return { error: `${file}: holds no PEM certificate` };
    return { roots: [...new Set([...known, ...given])] };
  } catch (error) {
    const code = errnoOf(error);
    const reason =
      code?.startsWith('E') && !code.startsWith('ERR') ? `cannot be read: ${code}` : '';
    return { error: `${file}: ${reason || 'holds a malformed certificate'}` };
  }
}

/** The certificates of a file, each in one form. Throws where one is malformed. */
export function certificatesIn(text: string): string[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block).toString());
}

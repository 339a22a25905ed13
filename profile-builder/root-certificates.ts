import { X509Certificate } from 'node:crypto';
import { ProfileError } from './profile-error.ts';

/**
 * The roots to trust, oldest first: their order names their payloads, and must not depend on the
 * order in a file. Duplicates are dropped.
 *
 * @param now milliseconds since 1970
 * @throws ProfileError without any root, and for one that is no CA or not valid at `now`
 */
export function readRoots(pems: string[], now: number): X509Certificate[] {
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

import { X509Certificate } from 'node:crypto';
import { ProfileError } from './profile-error.ts';

/**
 * The roots that a device will trust, oldest first: their order names their payloads, and is that
 * of time however a file lists them. The same root given twice is one. Throws ProfileError.
 *
 * @param now milliseconds since 1970
 */
export function readRoots(pems: string[], now: number): X509Certificate[] {
  if (pems.length === 0) {
    throw new ProfileError('expected at least one root certificate, found none');
  }
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
  if (!root.ca) {
    throw new ProfileError(`${name}: expected a CA certificate, found that of ${subject}`);
  }
  if (now < from.getTime()) {
    throw new ProfileError(`${name}: ${subject} is not valid before ${from.toISOString()}`);
  }
  if (now > to.getTime()) {
    throw new ProfileError(`${name}: ${subject} expired on ${to.toISOString()}`);
  }
  return root;
}

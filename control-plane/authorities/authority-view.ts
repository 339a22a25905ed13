import type { z } from 'zod';
import type { authority } from '#contract/authorities.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { DAY_MS } from '#lib/time-units.ts';
import type { AuthorityRow } from './queries.ts';

/**
 * The time before its expiry at which a root should be replaced: certificates are issued for 30
 * days, and distributing profiles takes time.
 */
const SOON_MS = 180 * DAY_MS;

/** Returns a root in the form of the API. */
export function authorityView(
  { id, state, certificate, created_at }: AuthorityRow,
  identities: number,
  now: number,
): z.output<typeof authority> {
  const { subject, fingerprint256, notAfter } = describeCertificate(certificate);
  return {
    id,
    state,
    subject,
    fingerprint: fingerprint256,
    created_at,
    expires_at: notAfter,
    certificate,
    identities,
    problem: state === 'active' ? problemOf(notAfter, now) : null,
  };
}

function problemOf(expiresAt: number, now: number): string | null {
  const next = 'create the next root, deploy a profile with it to every device, then activate it';
  if (expiresAt <= now) return `it has expired: ${next}`;
  return expiresAt <= now + SOON_MS ? `it expires soon: ${next}` : null;
}

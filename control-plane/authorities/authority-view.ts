import type { z } from 'zod';
import type { authority } from '#contract/authorities.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { DAY_MS } from '../lib/days.ts';
import type { AuthorityRow } from './queries.ts';

/** What it issues lasts 30 days, and profiles take their time. */
const SOON_MS = 180 * DAY_MS;

/** A root as the API shows it. */
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
  const next = 'make the next root, give every device a profile with it, then activate it';
  if (expiresAt <= now) return `it expired: ${next}`;
  return expiresAt <= now + SOON_MS ? `it expires soon: ${next}` : null;
}

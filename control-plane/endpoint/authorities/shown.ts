import type { z } from 'zod';
import type { authority } from '#contract/authorities.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { AuthorityRow } from './queries.ts';

/** A root as the API shows it. */
export function shownAuthority(
  { id, state, certificate, created_at }: AuthorityRow,
  identities: number,
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
  };
}

import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { routes } from './route.ts';

export const authority = z.object({
  id: z.string(),
  state: z.enum(['active', 'next', 'previous', 'retired']).meta({
    description:
      'next: trusted, not signing yet; active: signing; previous: trusted, no longer ' +
      'signing; retired: not trusted',
  }),
  subject: z.string(),
  fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, as `AB:CD:…`' }),
  created_at: timestamp,
  expires_at: timestamp,
  certificate: z.string().meta({ description: 'PEM' }),
  identities: count.meta({ description: 'number of valid device identities signed by it' }),
  problem: z.string().nullable().meta({
    description:
      'for the active root: a warning that it expires soon or has expired, and what to do',
  }),
});
export type Authority = z.output<typeof authority>;

/** The bytes of a file. */
const file = z
  .codec(z.string(), z.instanceof(Uint8Array), {
    decode: (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
    encode: (bytes) => String.fromCharCode(...bytes),
  })
  .meta({ examples: ['(DER)'] });

const admin = { auth: 'admin', errors: 'text' } as const;
const params = z.object({ id: z.string() });

export const authorityRoutes = routes({
  listAuthorities: {
    ...admin,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/authorities/',
    summary: 'List the root certificates that devices trust, newest first',
    response: z.object({ results: z.array(authority), count }),
  },
  getAuthorityCertificate: {
    ...admin,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/authorities/{id}/certificate/',
    summary: 'The certificate of a root, as PEM',
    params,
    produces: 'application/x-pem-file',
    response: z.string().meta({ examples: ['-----BEGIN CERTIFICATE-----\n'] }),
  },
  rotateAuthority: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/authorities/rotate/',
    summary: 'Create the next root; profiles contain it from now on, in addition to earlier ones',
    body: z.strictObject({}),
    status: 201,
    response: authority,
  },
  activateAuthority: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/authorities/{id}/activate/',
    summary: 'Activate the next root for signing; do this once every device has a profile with it',
    params,
    body: z.strictObject({}),
    response: authority,
  },
  retireAuthority: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/authorities/{id}/retire/',
    summary: 'Retire a root; rejected while devices have identities signed by it',
    params,
    body: z.strictObject({
      force: z
        .boolean()
        .default(false)
        .meta({ description: 'retire it anyway, which invalidates those identities' }),
    }),
    response: authority,
  },
  getCrl: {
    method: 'GET',
    path: '/api/svc/v1/endpoint/crl/',
    summary: 'The certificate revocation list of a root, as DER; certificates contain its URL',
    auth: 'none',
    errors: 'coded',
    query: z.object({
      authority: z
        .string()
        .optional()
        .meta({ description: "id of the root; default: the installation's own root" }),
    }),
    errorStatuses: [404],
    produces: 'application/pkix-crl',
    response: file,
  },
});

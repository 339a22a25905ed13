import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { routes } from './route.ts';

export const authority = z.object({
  id: z.string(),
  state: z.enum(['active', 'next', 'previous', 'retired']).meta({
    description:
      'next: trusted, signs nothing yet; active: signs; previous: trusted, signs nothing any ' +
      'more; retired: not trusted',
  }),
  subject: z.string(),
  fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, as `AB:CD:…`' }),
  created_at: timestamp,
  expires_at: timestamp,
  certificate: z.string().meta({ description: 'PEM' }),
  identities: count.meta({ description: 'valid identities of devices that it signed' }),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'of the active one: that it has expired or soon will, and what to do' }),
});
export type Authority = z.output<typeof authority>;

/** A file as bytes; on the wire the bytes themselves. */
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
    summary: 'The roots that devices are given to trust, the newest first',
    response: z.object({ results: z.array(authority), count }),
  },
  getAuthorityCertificate: {
    ...admin,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/authorities/{id}/certificate/',
    summary: 'The certificate of a root',
    params,
    produces: 'application/x-pem-file',
    response: z.string().meta({ examples: ['-----BEGIN CERTIFICATE-----\n'] }),
  },
  rotateAuthority: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/authorities/rotate/',
    summary: 'Make the next root: profiles carry it from now on, beside those of before',
    body: z.strictObject({}),
    status: 201,
    response: authority,
  },
  activateAuthority: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/authorities/{id}/activate/',
    summary: 'Let the next root sign; once every device has a profile with it',
    params,
    body: z.strictObject({}),
    response: authority,
  },
  retireAuthority: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/authorities/{id}/retire/',
    summary: 'Trust a root no longer; refused while devices have identities that it signed',
    params,
    body: z.strictObject({
      force: z.boolean().default(false).meta({ description: 'even so: those identities end' }),
    }),
    response: authority,
  },
  getCrl: {
    method: 'GET',
    path: '/api/svc/v1/endpoint/crl/',
    summary: 'What a root has revoked, as DER; every certificate names the address of its list',
    auth: 'none',
    errors: 'coded',
    query: z.object({
      authority: z
        .string()
        .optional()
        .meta({ description: "the root's id; the installation's own root unless given" }),
    }),
    refuses: [404],
    produces: 'application/pkix-crl',
    response: file,
  },
});

import { z } from 'zod';
import { waitingEnrollment } from './device-protocol.ts';
import { routes } from './route.ts';

const csr = z.string().meta({ description: 'PKCS#10, DER in base64' });
const certificates = z
  .string()
  .meta({ description: 'certs-only PKCS#7, DER in base64', examples: ['MIIB'] });

const est = { listener: 'device', errors: 'coded' } as const;

export const isEst = (path: string): boolean => path.startsWith('/.well-known/est/');

/** Enrollment over Secure Transport (RFC 7030), for third-party clients. */
export const estRoutes = routes({
  getCaCertificates: {
    ...est,
    method: 'GET',
    path: '/.well-known/est/cacerts',
    summary: "EST: the trusted roots of the tenant selected by the listener's host name",
    auth: 'none',
    produces: 'application/pkcs7-mime',
    response: certificates,
  },
  getCsrAttributes: {
    ...est,
    method: 'GET',
    path: '/.well-known/est/csrattrs',
    summary: 'EST: the attributes of a certificate request',
    auth: 'none',
    produces: 'application/csrattrs',
    response: z.string().meta({ examples: ['MBs='] }),
  },
  simpleEnroll: {
    ...est,
    method: 'POST',
    path: '/.well-known/est/simpleenroll',
    summary:
      'EST: enroll; the API key is the HTTP Basic password, and the request names the device',
    auth: 'api-key',
    permission: 'enroll',
    consumes: ['application/pkcs10'],
    body: csr,
    produces: 'application/pkcs7-mime; smime-type=certs-only',
    response: certificates,
    accepted: waitingEnrollment,
  },
  simpleReenroll: {
    ...est,
    method: 'POST',
    path: '/.well-known/est/simplereenroll',
    summary: 'EST: renew the identity of the client certificate, with the same names',
    auth: 'device',
    consumes: ['application/pkcs10'],
    body: csr,
    produces: 'application/pkcs7-mime; smime-type=certs-only',
    response: certificates,
  },
});

import { z } from 'zod';
import { waitingEnrollment } from './device.ts';
import { routes } from './route.ts';

const csr = z.string().meta({ description: 'PKCS#10, DER in base64' });
const certificates = z
  .string()
  .meta({ description: 'certs-only PKCS#7, DER in base64', examples: ['MIIB'] });

const est = { listener: 'device', errors: 'coded' } as const;

export const isEst = (path: string): boolean => path.startsWith('/.well-known/est/');

/** Enrollment over Secure Transport, RFC 7030: for clients that are not ours. */
export const estRoutes = routes({
  getCaCertificates: {
    ...est,
    method: 'GET',
    path: '/.well-known/est/cacerts',
    summary: "EST: the roots to trust, of the tenant that the listener's name stands for",
    auth: 'none',
    produces: 'application/pkcs7-mime',
    response: certificates,
  },
  getCsrAttributes: {
    ...est,
    method: 'GET',
    path: '/.well-known/est/csrattrs',
    summary: 'EST: what a certificate request should hold',
    auth: 'none',
    produces: 'application/csrattrs',
    response: z.string().meta({ examples: ['MBs='] }),
  },
  simpleEnroll: {
    ...est,
    method: 'POST',
    path: '/.well-known/est/simpleenroll',
    summary: "EST: enroll; the API key is HTTP Basic's password, the request names the device",
    auth: 'api-key',
    permission: 'enroll',
    consumes: ['application/pkcs10'],
    body: csr,
    produces: 'application/pkcs7-mime; smime-type=certs-only',
    response: certificates,
    waits: waitingEnrollment,
  },
  simpleReenroll: {
    ...est,
    method: 'POST',
    path: '/.well-known/est/simplereenroll',
    summary: 'EST: renew the identity of the client certificate, under the same names',
    auth: 'device',
    consumes: ['application/pkcs10'],
    body: csr,
    produces: 'application/pkcs7-mime; smime-type=certs-only',
    response: certificates,
  },
});

import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchCertificateRequest } from './certificate-request.ts';
import { CAPTURED, type Lab, startLab } from './testing/lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const suites = {
  'TLSv1.3': ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  'TLSv1.2': [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
  ],
} as const;
/**
 * The curves. In TLS 1.3 a client has no key share ready for most of them, and has to send a second
 * ClientHello.
 */
const curves = ['X25519', 'P-256', 'P-384', 'P-521'];

const handshakes = (['TLSv1.3', 'TLSv1.2'] as const).flatMap((version) =>
  suites[version].flatMap((ciphers) =>
    curves.flatMap((ecdhCurve) =>
      [true, false].map((requestCert) => ({ version, ciphers, ecdhCurve, requestCert })),
    ),
  ),
);

test.each(handshakes)(
  '$version, $ciphers, $ecdhCurve: the server requests a certificate: $requestCert',
  async (handshake) => {
    const { version, requestCert, ...options } = handshake;
    const server = createServer({
      ...(await lab.certify(CAPTURED)),
      ...options,
      requestCert,
      rejectUnauthorized: false,
      maxVersion: version,
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
    const stream = connect({ socket, servername: CAPTURED, ca: lab.worldRoot.certificatePem });
    const isAsked = watchCertificateRequest(stream, socket);
    await once(stream, 'secureConnect');
    await new Promise((turn) => setImmediate(turn));
    expect(isAsked()).toBe(requestCert);
    stream.destroy();
    server.close();
  },
);

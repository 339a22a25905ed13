import { once } from 'node:events';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { freePort, pollUntil } from '../support/processes.ts';

const AEAD = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
];
const others = ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-SHA256'];

describe('the TLS of the device listener', () => {
  let service: TestControlPlane;
  let port: number;
  let ofTenant: string;
  beforeAll(async () => {
    port = await freePort();
    service = await startTestControlPlane('sqlite', {
      DEVICE_PORT: String(port),
      DEVICE_URL: 'https://*.devices.example:8443',
    });
    const { tenant } = await service.byOwner.identity.me();
    ofTenant = `${tenant.id.replaceAll('_', '-')}.devices.example`;
  });
  afterAll(() => service.stop());

  /** Returns the negotiated protocol and cipher, or the reason for a failure. */
  const handshake = async (options: ConnectionOptions): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
    try {
      await once(socket, 'secureConnect');
      return `${socket.getProtocol()} ${socket.getCipher().name}`;
    } catch (error) {
      return (error as { code?: string }).code ?? 'refused';
    } finally {
      socket.destroy();
    }
  };
  const fingerprint = async (): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const shown = socket.getPeerCertificate().fingerprint256;
    socket.destroy();
    return shown;
  };
  const offersAeadOnly = async (): Promise<void> => {
    for (const servername of ['', ofTenant]) {
      const named = { servername, maxVersion: 'TLSv1.2' } as const;
      for (const ciphers of AEAD)
        expect(await handshake({ ...named, ciphers })).toBe(`TLSv1.2 ${ciphers}`);
      for (const ciphers of others)
        expect(await handshake({ ...named, ciphers })).toMatch(/HANDSHAKE_FAILURE/);
      expect(await handshake({ servername })).toMatch(/^TLSv1\.3 /);
      const old = { servername, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;
      expect(await handshake({ ...old, ciphers: 'ALL:@SECLEVEL=0' })).not.toMatch(/^TLS/);
    }
  };

  test('accepts only authenticated encryption, also after its certificate was renewed', async () => {
    await offersAeadOnly();
    const before = await fingerprint();
    await service.byOwner.authorities.rotateAuthority({ body: {} });
    await pollUntil(fingerprint, (shown) => shown !== before);
    await offersAeadOnly();
  });
});

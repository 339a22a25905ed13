import 'reflect-metadata';
import { once } from 'node:events';
import { AsnConvert } from '@peculiar/asn1-schema';
import { CRLNumber } from '@peculiar/asn1-x509';
import { X509Crl } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';
import { openKeepAliveConnection } from '../support/enrollment.ts';

describe('two processes on one PostgreSQL', () => {
  const SECRET_KEY = 'a key that both of the processes were given';
  let one: TestControlPlane;
  let other: TestControlPlane;
  beforeAll(async () => {
    one = await startTestControlPlane('postgres', { SECRET_KEY });
    const DATABASE_URL = one.databaseUrl ?? '';
    other = await startTestControlPlane('postgres', { SECRET_KEY, DATABASE_URL });
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  test('a device that one process revokes is disconnected by the other', async () => {
    const { id, tls } = await enrollDevice(one, 'hardware-elsewhere');
    const socket = new WebSocket(
      other.urls.device.replace('https', 'wss') + DEVICE_CHANNEL_PATH,
      tls,
    );
    await once(socket, 'message');
    const closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)));
    const bystander = await enrollDevice(one, 'hardware-beside');
    const beside = await openKeepAliveConnection(other, bystander.tls);
    const own = await openKeepAliveConnection(other, tls);
    const cut = once(own, 'close');
    await one.byKey.enrollment.revokeDevice({ params: { id }, body: {} });
    expect(await closed).toBe(1008);
    await cut;
    expect(beside.destroyed).toBe(false);
    beside.destroy();
  });

  test('revocation lists share one sequence of numbers, whichever process issues them', async () => {
    const numberOf = async ({ urls }: TestControlPlane): Promise<number> => {
      const answer = await fetch(`${urls.public}/api/svc/v1/endpoint/crl/`);
      const crl = new X509Crl(Buffer.from(await answer.arrayBuffer()));
      const extension = crl.getExtension('2.5.29.20');
      return AsnConvert.parse(extension?.value ?? new ArrayBuffer(0), CRLNumber).value;
    };
    const numbers: number[] = [];
    for (const service of [one, other]) {
      const { id } = await enrollDevice(one, `hardware-numbered-${numbers.length}`);
      await one.byKey.enrollment.revokeDevice({ params: { id }, body: {} });
      numbers.push(await numberOf(service));
    }
    numbers.push(await numberOf(one));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });
});

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceRoutes } from '#contract/device-protocol.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';
import { flowOf } from '../support/device-reports.ts';

describe('a device that is revoked during a request', () => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
  });
  afterAll(() => service.stop());

  test('gets the response, and then its connection is closed', async () => {
    const { id, tls } = await enrollDevice(service, 'hardware-under-way');
    const idleAgent = new Agent({ ...tls, keepAlive: true });
    const idle = request(service.urls.device + deviceRoutes.getConfig.path, { agent: idleAgent });
    const [config] = (await once(idle.end(), 'response')) as [IncomingMessage];
    await once(config.resume(), 'end');

    const body = JSON.stringify({ batch_id: 'under-way', flows: [flowOf('a')] });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      // The service responds to this once it has started to process the request.
      expect: '100-continue',
    };
    const agent = new Agent({ ...tls, keepAlive: true });
    const reporting = request(service.urls.device + deviceRoutes.reportFlows.path, {
      agent,
      method: 'POST',
      headers,
    });
    reporting.flushHeaders();
    await once(reporting, 'continue');
    // Awaited from now on, so that an aborted connection fails the test at once.
    const responded = once(reporting, 'response') as Promise<[IncomingMessage]>;
    const closed = once(reporting.socket!, 'close');
    const idleClosed = once(idle.socket!, 'close');
    await service.byKey.enrollment.revokeDevice({ params: { id }, body: { reason: 'lost' } });
    await Promise.race([idleClosed, responded]);
    reporting.end(body);
    const [response] = await responded;
    // The request was authenticated either before or after the revocation.
    expect([200, 401]).toContain(response.statusCode);
    await once(response.resume(), 'end');
    await closed;
    idleAgent.destroy();
    agent.destroy();
  });
});

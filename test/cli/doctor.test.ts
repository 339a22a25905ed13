import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from 'plist';
import { runChecks } from '#agent/node/doctor/testing/run-checks.ts';
import { openCredentials } from '#agent/node/identity/credentials.ts';
import { enroll } from '#agent/node/identity/enrollment.ts';
import { createControlPlaneClient } from '#agent/node/link/control-plane-client.ts';
import { openState, openStateFolder } from '#agent/node/state/state.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { description, readProfile } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

let service: TestControlPlane;
const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
const place = { dir, stateDir: join(dir, 'state'), preferences: join(dir, 'managed.plist') };
beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
});
afterAll(async () => {
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
});

test('doctor reports a device at a real control plane: accepted, not seen yet, then revoked', async () => {
  const { apiKey, root } = await readProfile(service);
  const hardware_id = 'test-machine-0001';
  const api_url = service.urls.device;
  writeFileSync(join(dir, 'roots.pem'), root);
  writeFileSync(place.preferences, build({ api_url, api_key: apiKey }));
  openStateFolder(place.stateDir);
  const credentials = openCredentials(place.stateDir, () => undefined);
  const headers = { 'x-svc-key': apiKey };
  const { device } = createControlPlaneClient({ apiUrl: api_url, roots: [root], headers });
  const facts = { ...description, hardware_id };
  const issued = await enroll(device, credentials, facts, AbortSignal.timeout(PATIENCE_MS));
  credentials.store(issued);
  const { device_id, config } = issued;
  openState(place.stateDir).update({ device_id, hardware_id, config });
  const lookUp = () => service.byOwner.devices.getDevice({ params: { id: device_id } });

  const { last_seen } = await lookUp();
  service.setTime(Date.now() + 60_000);
  const accepted = await runChecks(place);
  expect(accepted.get('control-plane-certificate')?.seen).toMatch(/, the tenant's root\.$/);
  expect(accepted.get('control-plane-answer')?.state).toBe('ok');
  expect(accepted.get('identity')).toMatchObject({ state: 'ok' });
  expect((await lookUp()).last_seen).toEqual(last_seen);

  await service.byKey.enrollment.revokeDevice({ params: { id: device_id }, body: {} });
  expect((await runChecks(place)).get('identity')).toMatchObject({
    state: 'problem',
    seen: `The control plane refuses ${device_id}: the device certificate is revoked.`,
    advice: { who: 'admin' },
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  captureOf,
  noCapture,
  startTestControlPlane,
  type TestControlPlane,
} from '../testing/control-plane.ts';
import { createManagedTestComputer, type TestComputer } from '../testing/test-computer.ts';
import { systemTrustOf } from './system-trust-sync.ts';

let plane: TestControlPlane;
let place: TestComputer;
let set: (readonly string[])[];
let fails: boolean;
beforeEach(async () => {
  set = [];
  fails = false;
  plane = await startTestControlPlane();
  place = createManagedTestComputer(plane);
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
  await plane.stop();
});

const trust = {
  set: async (roots: readonly string[]) => {
    set.push(roots);
    if (fails) throw new Error('update-ca-certificates failed: 1');
  },
};
const latest = () => set.at(-1)?.map((pem) => pem.trim());
const trusted = () => [plane.root.certificatePem.trim()];

test("the tenant's roots are trusted while capture is on for any host", async () => {
  plane.config = captureOf(2, 'api.openai.com');
  await place.start({ trust });
  await vi.waitFor(() => expect(latest()).toEqual(trusted()));
  plane.config = { ...noCapture, version: 3 };
  plane.push({ type: 'config', config: plane.config });
  await vi.waitFor(() => expect(latest()).toEqual([]));
});

test("the tenant's roots are no longer trusted once the device is revoked", async () => {
  plane.config = captureOf(2, 'api.openai.com');
  await place.start({ trust });
  await vi.waitFor(() => expect(latest()).toEqual(trusted()));
  plane.refuse = () => ({ status: 401, message: 'unknown device certificate' });
  plane.dropChannels();
  await vi.waitFor(() => expect(latest()).toEqual([]));
});

test('a failure is a problem until it is resolved', async () => {
  fails = true;
  plane.config = captureOf(2, 'api.openai.com');
  const agent = await place.start({ trust });
  await vi.waitFor(() =>
    expect(agent.status().problems).toContain('system trust: update-ca-certificates failed: 1'),
  );
  fails = false;
  await vi.waitFor(() => expect(agent.status().problems).toEqual([]));
});

test('the system is not changed if this is switched off or without the rights', () => {
  expect(systemTrustOf({ systemTrust: false })).toBeNull();
});

import { afterAll, beforeAll } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';

/** Sets up a control plane with devices that capture the hosts that its owner enables. */
export function setUpDevices(kind: (typeof databases)[number]) {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const guard = () => service.byOwner.guard;
  return {
    get service() {
      return service;
    },
    guard,
    device: (id: string) => service.byOwner.devices.getDevice({ params: { id } }),
    enable: (hosts: string[], place: { layer: 'global' | 'device'; scope: string | null }) =>
      guard().putLayer({
        body: { ...place, config: { capture_enabled: hosts.length > 0, intercept_hosts: hosts } },
      }),
  };
}

import { enrollment as enrollmentShape } from '#contract/device-protocol.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { parseBinary } from 'plist';
import { deviceClient } from '#test/support/device.ts';
import { appOf } from '#test/support/device-reports.ts';
import type { SeededClient } from './record-month.ts';
import { sampleFlows } from './sample-flows.ts';

const devices = [
  { user: 'ada', os: 'darwin', os_version: '26.1', apps: ['claude', 'codex'], problems: [] },
  { user: 'grace', os: 'darwin', os_version: '26.0', apps: ['codex'], problems: [] },
  {
    user: 'alan',
    os: 'linux',
    os_version: 'Ubuntu 24.04',
    apps: ['aider', 'claude'],
    problems: [],
  },
  {
    user: 'radia',
    os: 'linux',
    os_version: 'Debian 13',
    apps: ['opencode'],
    problems: ['capture: nft is not installed, connections are not redirected'],
  },
] as const;

/**
 * Enrolls devices and reports for them what an agent would. They stay offline afterwards. Returns how
 * many.
 *
 * @throws Error when the service makes no profile, or its device address cannot be reached
 */
export async function addDevices(client: SeededClient, now: number): Promise<number> {
  const profile = await client.deployment.getMdmProfile({ query: {} });
  const config = parseBinary(materializeManagedConfig(profile).plist) as Record<string, unknown>;
  const [url, ca] = [String(config['api_url']), trustedRoots(profile)];
  const byKey = deviceClient(url, { ca }, { 'X-Svc-Key': String(config['api_key']) });
  for (const { user, os, os_version, apps, problems } of devices) {
    const [identity, capture] = [await generateKeyPair(), await generateKeyPair()];
    const hardware_id = `sample-${user}`;
    const enrolled = enrollmentShape.parse(
      await byKey.device.enroll({
        body: {
          hardware_id,
          hostname: `${os === 'darwin' ? 'macbook' : 'workstation'}-${user}`,
          os,
          os_version,
          agent_version: '0.1.0',
          user,
          user_group: null,
          identity_csr: await createCsr({ ...identity, commonName: hardware_id }),
          ca_csr: await createCsr({ ...capture, commonName: hardware_id }),
        },
      }),
    );
    const { device } = deviceClient(url, {
      ca,
      cert: enrolled.identity_certificate,
      key: identity.privateKeyPem,
    });
    await device.heartbeat({
      body: {
        agent_version: '0.1.0',
        applied_version: 0,
        queued: 0,
        dropped: 0,
        problems: [...problems],
      },
    });
    await device.reportInventory({
      body: { batch_id: `sample-apps-${user}`, apps: apps.map((name) => appOf(name, { user })) },
    });
    const flows = apps.flatMap((program) => sampleFlows(user, program, now));
    await device.reportFlows({ body: { batch_id: `sample-flows-${user}`, flows } });
  }
  return devices.length;
}

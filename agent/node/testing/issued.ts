import type { DeviceConfig, Enrollment } from '#contract/device-protocol.ts';
import { createRoot, issueIdentity, issueIntermediate } from '#pki/authority.ts';
import { createCsr, readCsr } from '#pki/csr.ts';
import type { Credentials } from '../identity/credentials.ts';

/** Returns the certificates that a control plane issues for the keys of a device at `now`. */
export async function issuedFor(
  credentials: Credentials,
  { config, deviceId = 'dev_1', now }: { config: DeviceConfig; deviceId?: string; now: number },
): Promise<Enrollment> {
  const root = await createRoot({ name: 'Test tenant', now });
  const csrOf = async (kind: 'identity' | 'intermediate') =>
    readCsr(await createCsr({ ...(await credentials.keys(kind)), commonName: kind }));
  const request = { deviceId, now };
  const { capture_enabled, intercept_hosts: hosts } = config;
  return {
    device_id: deviceId,
    identity_certificate: await issueIdentity(root, { ...request, csr: await csrOf('identity') }),
    intermediate_certificate:
      capture_enabled && hosts.length > 0
        ? await issueIntermediate(root, { ...request, csr: await csrOf('intermediate'), hosts })
        : null,
    root_certificate: root.certificatePem,
    root_certificates: [root.certificatePem],
    config,
  };
}

import { request } from 'node:https';
import { createClient } from '#contract/client.ts';
import { type Enrollment, enrollment as enrollmentShape } from '#contract/device-protocol.ts';
import { contract } from '#contract/index.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair, type KeyPair } from '#pki/keys.ts';
import type { TestClient, TestControlPlane } from './control-plane.ts';

export interface Tls {
  ca?: string;
  cert?: string;
  key?: string;
}

/** `fetch` over a new TLS connection, with a client certificate if one is given. */
export const tlsFetch =
  (tls: Tls) =>
  (url: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers, body } = init;
      const sent = request(url, {
        ...tls,
        method,
        headers: headers as Record<string, string>,
        agent: false,
      });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const status = answer.statusCode ?? 0;
          const body = status === 204 ? null : Buffer.concat(chunks);
          resolve(
            new Response(body, { status, headers: answer.headers as Record<string, string> }),
          );
        });
      });
      sent.end(body as string | undefined);
    });

export interface TestDevice {
  id: string;
  enrollment: Enrollment;
  identity: KeyPair;
  tls: Required<Tls>;
  client: TestClient;
}

export const deviceClient = (url: string, tls: Tls, headers: Record<string, string> = {}) =>
  createClient(contract, { baseUrl: url, headers: () => headers, fetch: tlsFetch(tls) });

/** Creates a profile; returns its API key and its root. */
export async function readProfile(service: Pick<TestControlPlane, 'byKey'>, hosts?: string) {
  const profile = await service.byKey.deployment.getMdmProfile({ query: { hosts } });
  const { materializeManagedConfig, trustedRoots } =
    await import('#profile-builder/materialize.ts');
  const { parseBinary } = await import('plist');
  const config = parseBinary(materializeManagedConfig(profile).plist) as Record<string, unknown>;
  return { apiKey: String(config.api_key), root: trustedRoots(profile), config, profile };
}

export const description = {
  hostname: 'macbook-ada',
  os: 'darwin',
  os_version: '26.1',
  agent_version: '0.1.0',
  user: 'ada',
  user_group: null,
};

/** Creates a certificate request for an intermediate, with a new key. */
export const captureRequest = async (): Promise<string> =>
  createCsr({ ...(await generateKeyPair()), commonName: 'capture' });

/** Enrolls a device as the agent does. */
export async function enrollDevice(
  service: Pick<TestControlPlane, 'byKey'> & { urls: { device: string } },
  hardwareId: string,
  {
    hosts,
    userGroup = null,
    authority,
  }: { hosts?: string; userGroup?: string | null; authority?: KeyPair } = {},
): Promise<TestDevice> {
  const { apiKey, root } = await readProfile(service, hosts);
  const identity = await generateKeyPair();
  const capture = authority ?? (await generateKeyPair());
  const answer = await deviceClient(
    service.urls.device,
    { ca: root },
    { 'X-Svc-Key': apiKey },
  ).device.enroll({
    body: {
      ...description,
      hardware_id: hardwareId,
      user_group: userGroup,
      identity_csr: await createCsr({ ...identity, commonName: hardwareId }),
      ca_csr: await createCsr({ ...capture, commonName: hardwareId }),
    },
  });
  const enrollment = enrollmentShape.parse(answer);
  const tls = { ca: root, cert: enrollment.identity_certificate, key: identity.privateKeyPem };
  const client = deviceClient(service.urls.device, tls);
  return { id: enrollment.device_id, enrollment, identity, tls, client };
}

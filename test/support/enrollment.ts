import 'reflect-metadata';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair, type KeyPair } from '#pki/keys.ts';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';
import { captureRequest, description, deviceClient, readProfile, type Tls } from './device.ts';

export interface NewComputer {
  hardware_id: string;
  keys: KeyPair;
  /** Replaces fields of the default description. */
  descriptionOverrides?: Partial<typeof description>;
}

const errorLine = ({ status, message }: { status: number; message: string }) =>
  `${status} ${message}`;

/** Sends a request and returns its open connection for the next one. */
export async function openKeepAliveConnection(
  { urls }: TestControlPlane,
  tls: Tls,
): Promise<Socket> {
  const agent = new Agent({ ...tls, keepAlive: true });
  const sent = request(`${urls.device}/api/svc/v1/endpoint/config/`, { agent }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  if (!sent.socket) throw new Error('no connection');
  return sent.socket;
}

/** Sets up a control plane with a profile, and computers that enroll with it. */
export function setUpEnrollment(kind: (typeof databases)[number]) {
  let service: TestControlPlane;
  let profile: { apiKey: string; root: string };
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    profile = await readProfile(service);
  });
  afterAll(() => service.stop());
  afterEach(() => service.setTime(undefined));

  const admin = () => service.byKey.enrollment;
  const putSettings = (body: { require_approval?: boolean; new_devices_per_hour?: number }) =>
    service.byOwner.enrollment.putEnrollmentSettings({
      body: { require_approval: false, new_devices_per_hour: 3000, ...body },
    });

  const newComputer = async (hardware_id: string): Promise<NewComputer> => ({
    hardware_id,
    keys: await generateKeyPair(),
  });
  const enrollmentClient = (apiKey = profile.apiKey) =>
    deviceClient(service.urls.device, { ca: profile.root }, { 'X-Svc-Key': apiKey }).device;
  const enroll = async (
    { hardware_id, keys, descriptionOverrides }: NewComputer,
    apiKey?: string,
  ) => {
    const csr = await createCsr({ ...keys, commonName: hardware_id });
    const ca_csr = await captureRequest();
    const body = {
      ...description,
      ...descriptionOverrides,
      hardware_id,
      identity_csr: csr,
      ca_csr,
    };
    const enrollment = await enrollmentClient(apiKey).enroll({ body });
    const tls = {
      ca: profile.root,
      cert: enrollment.identity_certificate,
      key: keys.privateKeyPem,
    };
    return { id: enrollment.device_id, tls, client: deviceClient(service.urls.device, tls).device };
  };
  /** Returns the latest audit entry about a device. */
  const lastEntryOf = async (id: string) =>
    (await service.byKey.audit.listAuditEntries({ query: { limit: 1000 } })).entries.find(
      ({ resource_id }) => resource_id === id,
    );
  const errorLineOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'enrolled',
      (error: { status: number; message: string }) => errorLine(error),
    );

  return {
    get service() {
      return service;
    },
    get profile() {
      return profile;
    },
    admin,
    putSettings,
    newComputer,
    enrollmentClient,
    enroll,
    lastEntryOf,
    errorLineOf,
  };
}

import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { AgentConfig } from '#agent/config.ts';
import type { IdentityFacts } from '#agent/core/doctor/identity.ts';
import { deviceRoutes } from '#contract/device-protocol.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { errnoOf, readIfExists } from '../state/atomic-file.ts';
import { readIdentityKey } from '../device-keys/read-identity-key.ts';
import { createTpmSealer } from '../device-keys/tpm-sealer.ts';
import { platform } from '../platform.ts';
import { peekRecord, type DeviceRecord } from '../state/state.ts';
import { stateEntries } from '../state/state-folder.ts';
import { parseCertificates, readTrustedRoots } from '../identity/trusted-roots.ts';
import { codedMessage } from './probe-control-plane.ts';

/** The content of the state folder about this device. Reading changes nothing. */
export interface StoredDevice {
  record: DeviceRecord | 'damaged' | 'private' | null;
  certificate: IdentityFacts['certificate'];
  identity: { certificatePem: string; privateKeyPem: string } | null;
  /** PEM */
  roots: readonly string[];
  hardwareId: string | null;
}

export async function readStoredDevice(
  dir: string,
  { hardwareId, tpm }: Pick<AgentConfig, 'hardwareId' | 'tpm'>,
): Promise<StoredDevice> {
  const none = { certificate: null, identity: null, roots: [], hardwareId: null };
  try {
    const record = peekRecord(dir);
    const certificatePem = readIfExists(join(dir, stateEntries.identity));
    const privateKeyPem = await readIdentityKey(dir, createTpmSealer(tpm));
    const isComplete = certificatePem !== null && privateKeyPem !== null;
    return {
      record,
      certificate: certificatePem === null ? null : describe(certificatePem),
      identity: isComplete ? { certificatePem, privateKeyPem } : null,
      roots: rootsIn(readIfExists(join(dir, stateEntries.roots)) ?? ''),
      hardwareId:
        hardwareId ??
        (await platform.readHardwareId()) ??
        readIfExists(join(dir, stateEntries.hardwareId))?.trim() ??
        null,
    };
  } catch (error) {
    // ENOTDIR: another check reports that it is not a folder.
    return { ...none, record: errnoOf(error) === 'EACCES' ? 'private' : null };
  }
}

function describe(pem: string): IdentityFacts['certificate'] {
  try {
    return describeCertificate(pem);
  } catch {
    return 'damaged';
  }
}

function rootsIn(text: string): string[] {
  try {
    return parseCertificates(text);
  } catch {
    return [];
  }
}

/**
 * Checks whether the control plane accepts this identity, with an empty heartbeat: it is rejected
 * as invalid (400) only after the certificate was checked, and nothing is stored. A valid heartbeat
 * would make the device appear online.
 */
export function verifyIdentity(
  apiUrl: string,
  { identity, roots }: Pick<StoredDevice, 'identity' | 'roots'>,
  trustedRootsFile: string | null,
): Promise<IdentityFacts['verdict']> {
  const read = readTrustedRoots(trustedRootsFile, roots);
  if (!identity || 'error' in read) return Promise.resolve(null);
  const url = `${apiUrl.replace(/\/+$/, '')}${deviceRoutes.heartbeat.path}`;
  return new Promise((settle) => {
    const fail = (error: unknown): void => settle({ error: errnoOf(error) ?? String(error) });
    try {
      const clientRequest = request(url, {
        method: 'POST',
        agent: false,
        ca: read.roots,
        cert: identity.certificatePem,
        key: identity.privateKeyPem,
        timeout: 5000,
        headers: { 'content-type': 'application/json', 'content-length': 2 },
      });
      clientRequest.on('timeout', () => clientRequest.destroy());
      clientRequest.on('error', fail);
      clientRequest.on('response', (response) => {
        const status = response.statusCode ?? 0;
        json(response).then(
          (body) => settle({ status, message: codedMessage(body).message }),
          () => settle({ status, message: '' }),
        );
      });
      clientRequest.end('{}');
    } catch (error) {
      // The key is invalid.
      fail(error);
    }
  });
}

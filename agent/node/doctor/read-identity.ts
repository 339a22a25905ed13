import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { IdentityFacts } from '#agent/core/doctor/identity.ts';
import { deviceRoutes } from '#contract/device.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { errnoOf, readIfThere } from '../atomic-file.ts';
import { platform } from '../platform/index.ts';
import { peekRecord, type DeviceRecord } from '../state.ts';
import { stateEntries } from '../state-folder.ts';
import { certificatesIn, readTrustedRoots } from '../trusted-roots.ts';
import { codedMessage } from './probe-control-plane.ts';

/** What the state folder holds about this device; nothing in it is changed. */
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
  givenHardwareId: string | null,
): Promise<StoredDevice> {
  const none = { certificate: null, identity: null, roots: [], hardwareId: null };
  try {
    const record = peekRecord(dir);
    const certificatePem = readIfThere(join(dir, stateEntries.identity));
    const privateKeyPem = readIfThere(join(dir, stateEntries.identityKey));
    const isWhole = certificatePem !== null && privateKeyPem !== null;
    return {
      record,
      certificate: certificatePem === null ? null : describe(certificatePem),
      identity: isWhole ? { certificatePem, privateKeyPem } : null,
      roots: rootsIn(readIfThere(join(dir, stateEntries.roots)) ?? ''),
      hardwareId:
        givenHardwareId ??
        (await platform.readHardwareId()) ??
        readIfThere(join(dir, stateEntries.hardwareId))?.trim() ??
        null,
    };
  } catch (error) {
    // ENOTDIR: what is there instead of a folder is for another check to say.
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
    return certificatesIn(text);
  } catch {
    return [];
  }
}

/**
 * Does the control plane take this identity? Asked with a heartbeat that lacks everything: it is
 * refused for that (400), but only after the certificate was looked at, and nothing is stored. A
 * request that is complete would make the device look online.
 */
export function askAboutIdentity(
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
      const sent = request(url, {
        method: 'POST',
        agent: false,
        ca: read.roots,
        cert: identity.certificatePem,
        key: identity.privateKeyPem,
        timeout: 5000,
        headers: { 'content-type': 'application/json', 'content-length': 2 },
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', fail);
      sent.on('response', (answer) => {
        const status = answer.statusCode ?? 0;
        json(answer).then(
          (body) => settle({ status, message: codedMessage(body).message }),
          () => settle({ status, message: '' }),
        );
      });
      sent.end('{}');
    } catch (error) {
      // A key that is not one.
      fail(error);
    }
  });
}

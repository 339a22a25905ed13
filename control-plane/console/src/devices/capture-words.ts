import { t } from '@lingui/core/macro';
import type { DeviceDetail } from '../data/device-sources.ts';
import type { Tone } from '../parts/badge.tsx';

export type CaptureLevel = DeviceDetail['capture_levels'][number];

export const levelNames: Record<CaptureLevel['level'], string> = {
  content: t`Content`,
  metadata: t`Metadata only`,
  off: t`Off`,
  unknown: t`Unknown`,
};

export const levelTones: Record<CaptureLevel['level'], Tone> = {
  content: 'good',
  metadata: 'warn',
  off: 'neutral',
  unknown: 'neutral',
};

const trustTexts: Record<Exclude<CaptureLevel['store'], 'system'>, string> = {
  node: t`The app trusts the certificates of Node rather than the system's, and has not been captured with content yet.`,
  python: t`The app trusts the certificates of Python rather than the system's, and has not been captured with content yet.`,
  java: t`The app trusts the trust store of Java rather than the system's, and has not been captured with content yet.`,
  unknown: t`The app trusts its own certificates rather than the system's, and has not been captured with content yet.`,
};

/** Explains the capture level of an app. */
export function reasonText({ reason, store, hosts }: CaptureLevel): string {
  const names = hosts.join(', ');
  switch (reason) {
    case 'content_seen':
      return t`Captured with content.`;
    case 'refused':
      return t`The app rejects the device's certificate for ${names}: its connections are passed through.`;
    case 'own_store':
      return trustTexts[store === 'system' ? 'unknown' : store];
    case 'local_server':
      return t`The app serves models on this computer: only its connections to AI hosts are captured.`;
    case 'capture_off':
      return t`Capture is not enabled for any host on this device.`;
    case 'hosts_off':
      return t`Capture is not enabled for the hosts that the app connects to: ${names}.`;
    case 'not_seen':
      return t`Not captured yet; no obstacle is known.`;
  }
}

const remedies: Record<CaptureLevel['store'], string> = {
  system: t`Install the tenant's root certificate in the system trust store: the profile does so on macOS, the agent on Linux. Then restart the program.`,
  node: t`Node programs: set NODE_USE_SYSTEM_CA=1, or NODE_EXTRA_CA_CERTS to a file with the tenant’s root certificate. The installer package on macOS and the agent on Linux set the first; restart the program from a new session.`,
  python: t`Python programs: set SSL_CERT_FILE and REQUESTS_CA_BUNDLE to a bundle of the public root certificates and the tenant’s root certificate.`,
  java: t`Java programs: import the tenant’s root certificate into the trust store of the runtime or the IDE.`,
  unknown: t`If the program has a setting for additional certificate authorities, add the tenant's root certificate there.`,
};

/** How an administrator can enable more capture of the app; null if that is impossible. */
export function remedyText({ reason, store }: CaptureLevel): string | null {
  if (reason === 'refused' || reason === 'own_store') return remedies[store];
  if (reason === 'capture_off' || reason === 'hosts_off')
    return t`Enable capture for the hosts of the app in Guard.`;
  return null;
}

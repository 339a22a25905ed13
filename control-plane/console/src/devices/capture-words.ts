import type { DeviceDetail } from '../data/device-sources.ts';
import type { Tone } from '../parts/badge.tsx';

export type CaptureLevel = DeviceDetail['capture_levels'][number];

export const levelNames: Record<CaptureLevel['level'], string> = {
  content: 'Content',
  metadata: 'Metadata only',
  off: 'Off',
  unknown: 'Unknown',
};

export const levelTones: Record<CaptureLevel['level'], Tone> = {
  content: 'good',
  metadata: 'warn',
  off: 'neutral',
  unknown: 'neutral',
};

const stores: Record<CaptureLevel['store'], string> = {
  system: 'the system trust store',
  node: 'the certificates of Node',
  python: 'the certificates of Python',
  java: 'the trust store of Java',
  unknown: 'its own certificates',
};

/** Explains the capture level of an app. */
export function reasonText({ reason, store, hosts }: CaptureLevel): string {
  switch (reason) {
    case 'content_seen':
      return 'Captured with content.';
    case 'refused':
      return `The app rejects the device's certificate for ${hosts.join(', ')}: its connections are passed through.`;
    case 'own_store':
      return `The app trusts ${stores[store]} rather than the system's, and has not been captured with content yet.`;
    case 'local_server':
      return 'The app serves models on this computer: only its connections to AI hosts are captured.';
    case 'capture_off':
      return 'Capture is not enabled for any host on this device.';
    case 'hosts_off':
      return `Capture is not enabled for the hosts that the app connects to: ${hosts.join(', ')}.`;
    case 'not_seen':
      return 'Not captured yet; no obstacle is known.';
  }
}

const remedies: Record<CaptureLevel['store'], string> = {
  system:
    "Install the tenant's root certificate in the system trust store: the profile does so on macOS, the agent on Linux. Then restart the program.",
  node: 'Node programs: set NODE_USE_SYSTEM_CA=1, or NODE_EXTRA_CA_CERTS to a file with the tenant’s root certificate. The installer package on macOS and the agent on Linux set the first; restart the program from a new session.',
  python:
    'Python programs: set SSL_CERT_FILE and REQUESTS_CA_BUNDLE to a bundle of the public root certificates and the tenant’s root certificate.',
  java: 'Java programs: import the tenant’s root certificate into the trust store of the runtime or the IDE.',
  unknown:
    "If the program has a setting for additional certificate authorities, add the tenant's root certificate there.",
};

/** How an administrator can enable more capture of the app; null if there is no way. */
export function remedyText({ reason, store }: CaptureLevel): string | null {
  if (reason === 'refused' || reason === 'own_store') return remedies[store];
  if (reason === 'capture_off' || reason === 'hosts_off')
    return 'Enable capture for the hosts of the app in Guard.';
  return null;
}

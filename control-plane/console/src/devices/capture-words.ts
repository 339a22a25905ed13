import type { DeviceDetail } from '../data/sources.ts';
import type { Tone } from '../parts/badge.tsx';

export type CaptureLevel = DeviceDetail['capture_levels'][number];

export const levelNames: Record<CaptureLevel['level'], string> = {
  content: 'Content',
  metadata: 'Metadata only',
  off: 'Off',
  unknown: 'Not known yet',
};

export const levelTones: Record<CaptureLevel['level'], Tone> = {
  content: 'good',
  metadata: 'warn',
  off: 'neutral',
  unknown: 'neutral',
};

const stores: Record<CaptureLevel['store'], string> = {
  system: 'the system',
  node: 'Node',
  python: 'Python',
  java: 'Java',
  unknown: 'itself',
};

/** Why no more of an app can be captured, or that it can. */
export function reasonText({ reason, store, hosts }: CaptureLevel): string {
  switch (reason) {
    case 'content_seen':
      return 'Its exchanges arrive with their content.';
    case 'refused':
      return `It does not accept the device's certificate for ${hosts.join(', ')}, and is passed through.`;
    case 'own_store':
      return `It trusts what ${stores[store]} brings, not what the system does, and has not been captured with content yet.`;
    case 'local_server':
      return 'It serves models on this computer: only connections to AI hosts are captured.';
    case 'capture_off':
      return 'Capture is on for no host of this device.';
    case 'hosts_off':
      return `Capture is on for none of the hosts that it was seen to reach: ${hosts.join(', ')}.`;
    case 'not_seen':
      return 'Nothing of it was captured yet, and nothing says that it could not be.';
  }
}

const remedies: Record<CaptureLevel['store'], string> = {
  system:
    "Install the tenant's root in the system's store: the profile does so on macOS, the agent on Linux. Then start the program again.",
  node: 'Node programs: set NODE_USE_SYSTEM_CA=1, or NODE_EXTRA_CA_CERTS to a file with the tenant’s root. The installer package on macOS and the agent on Linux set the first; start the program again from a new session.',
  python:
    'Python programs: set SSL_CERT_FILE and REQUESTS_CA_BUNDLE to a bundle with the public authorities and the tenant’s root.',
  java: 'Java programs: import the tenant’s root into the store of the runtime or of the IDE.',
  unknown:
    "See whether the program has a setting for additional certificate authorities, and name the tenant's root there.",
};

/** What an administrator can do to have more captured. */
export function remedyText({ reason, store }: CaptureLevel): string | null {
  if (reason === 'refused' || reason === 'own_store') return remedies[store];
  if (reason === 'capture_off' || reason === 'hosts_off')
    return 'Switch capture on for its hosts in Guard.';
  return null;
}

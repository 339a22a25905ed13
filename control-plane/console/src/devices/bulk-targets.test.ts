import { expect, test } from 'vitest';
import { devicesFor } from './bulk-targets.ts';

const device = (id: string, status: 'pending' | 'active' | 'revoked', waiting_key: string | null) =>
  ({ id, hostname: id, status, waiting_key }) as const;

const devices = [
  device('new', 'pending', 'k'),
  device('again', 'active', 'k'),
  device('active', 'active', null),
  device('revoked', 'revoked', null),
];

test.each([
  ['approve', ['new', 'again']],
  ['revoke', ['new', 'again', 'active']],
] as const)('%s applies to %j', (action, ids) =>
  expect(devicesFor(action, devices).map(({ id }) => id)).toEqual(ids),
);

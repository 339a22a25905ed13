import type { Device } from '../data/device-sources.ts';

export type BulkAction = 'approve' | 'revoke' | 'restore';

export type Target = Pick<Device, 'id' | 'hostname' | 'status' | 'waiting_key'>;

/** Filters the devices that an action applies to. */
export const devicesFor = <D extends Target>(action: BulkAction, devices: readonly D[]): D[] =>
  devices.filter((device) => isTarget[action](device));

const isTarget: Record<BulkAction, (device: Target) => boolean> = {
  approve: ({ waiting_key }) => waiting_key !== null,
  revoke: ({ status }) => status !== 'revoked',
  restore: ({ status }) => status === 'revoked',
};

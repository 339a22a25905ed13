import type { deviceRoutes } from '#contract/device-protocol.ts';
import { ApiError } from '#contract/errors.ts';
import { configOfDevice } from '../guard/device-config.ts';
import type { Handlers } from '../handler.ts';
import { newRecordingKey } from './recording-key-caller.ts';
import { insertRecordingKey } from './recording-key-queries.ts';

export const recordingKeyHandlers: Pick<Handlers<typeof deviceRoutes>, 'issueRecordingKey'> = {
  async issueRecordingKey(context, { caller }) {
    const { tenantId: tenant_id, deviceId: device_id } = caller;
    const config = await configOfDevice(context.storage.db, tenant_id, device_id);
    if (config.coding_agents === 'off')
      throw new ApiError('capture_disabled', 'coding agents are not recorded on this device');
    const created_at = context.now();
    const { key, hash, renew_at, expires_at } = newRecordingKey(created_at);
    const id = context.newId('rkey');
    const row = { tenant_id, id, device_id, hash, created_at, expires_at };
    await context.storage.transaction((tx) => insertRecordingKey(tx, row));
    return { key, endpoint: `${context.urls.public}/api/v1/otel`, renew_at, expires_at };
  },
};

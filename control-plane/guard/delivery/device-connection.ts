import type { DeviceCaller } from '../../http/caller.ts';

/** One open WebSocket of a device. */
export interface DeviceConnection {
  device: DeviceCaller;
  /** Fingerprint of the certificate that opened it. */
  fingerprint: string;
  /** Expiry of that certificate, in milliseconds since 1970. */
  expiry: number;
  /** The last configuration that was pushed. */
  lastSent: string | null;
  /**
   * @throws ApiError if that certificate is no longer valid
   */
  check(): Promise<unknown>;
  send(text: string): void;
  close(code: number, reason: string): void;
}

/** The open connections of this process, by device and tenant. */
export interface ConnectionRegistry {
  add(connection: DeviceConnection): void;
  /** Removes a connection; returns whether the device has another one. */
  remove(connection: DeviceConnection): boolean;
  all(): Iterable<DeviceConnection>;
  ofTenant(tenantId: string): Iterable<DeviceConnection>;
  ofDevice(device: DeviceCaller): Iterable<DeviceConnection>;
}

export const keyOf = ({ tenantId, deviceId }: DeviceCaller): string => `${tenantId} ${deviceId}`;

export function connectionRegistry(): ConnectionRegistry {
  const connections = new Map<string, Set<DeviceConnection>>();
  const all = (): DeviceConnection[] => [...connections.values()].flatMap((of) => [...of]);
  return {
    add(connection) {
      const key = keyOf(connection.device);
      connections.set(key, (connections.get(key) ?? new Set()).add(connection));
    },
    remove(connection) {
      const key = keyOf(connection.device);
      const remaining = connections.get(key);
      remaining?.delete(connection);
      if (remaining?.size === 0) connections.delete(key);
      return connections.has(key);
    },
    all,
    ofTenant: (tenantId) => all().filter(({ device }) => device.tenantId === tenantId),
    ofDevice: (device) => connections.get(keyOf(device)) ?? [],
  };
}

import type { DeviceCaller } from '../../http/caller.ts';

/** One open line to a device. */
export interface DeviceConnection {
  device: DeviceCaller;
  /** Of the certificate that opened it. */
  fingerprint: string;
  /** When that certificate ends, in milliseconds since 1970. */
  expiry: number;
  /** @throws ApiError once that certificate no longer counts */
  check(): Promise<unknown>;
  send(text: string): void;
  close(code: number, reason: string): void;
}

/** The open lines of this process, by whom they lead to. */
export interface ConnectionRegistry {
  add(line: DeviceConnection): void;
  /** Whether the device has another one. */
  remove(line: DeviceConnection): boolean;
  all(): Iterable<DeviceConnection>;
  ofTenant(tenantId: string): Iterable<DeviceConnection>;
  ofDevice(device: DeviceCaller): Iterable<DeviceConnection>;
}

export const keyOf = ({ tenantId, deviceId }: DeviceCaller): string => `${tenantId} ${deviceId}`;

export function connectionRegistry(): ConnectionRegistry {
  const lines = new Map<string, Set<DeviceConnection>>();
  const all = (): DeviceConnection[] => [...lines.values()].flatMap((of) => [...of]);
  return {
    add(line) {
      const key = keyOf(line.device);
      lines.set(key, (lines.get(key) ?? new Set()).add(line));
    },
    remove(line) {
      const key = keyOf(line.device);
      const others = lines.get(key);
      others?.delete(line);
      if (others?.size === 0) lines.delete(key);
      return lines.has(key);
    },
    all,
    ofTenant: (tenantId) => all().filter(({ device }) => device.tenantId === tenantId),
    ofDevice: (device) => lines.get(keyOf(device)) ?? [],
  };
}

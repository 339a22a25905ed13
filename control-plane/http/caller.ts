import type { Permission, Role, Route } from '#contract/route.ts';

export interface KeyCaller {
  tenantId: string;
  keyId: string;
  permissions: readonly Permission[];
}

export interface SessionCaller {
  tenantId: string;
  sessionId: string;
  userId: string;
  email: string;
  role: Role;
}

/** A program or a person with administrative permissions. */
export type AdminCaller = KeyCaller | SessionCaller;

export interface DeviceCaller {
  tenantId: string;
  deviceId: string;
}

export type CallerOf<R extends Route> = R['auth'] extends 'api-key'
  ? KeyCaller
  : R['auth'] extends 'session'
    ? SessionCaller
    : R['auth'] extends 'admin'
      ? AdminCaller
      : R['auth'] extends 'device'
        ? DeviceCaller
        : undefined;

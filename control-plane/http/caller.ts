import type { Access, Permission, Role, Route } from '#contract/route.ts';
import type { CodingAgentLevel } from '#contract/guard.ts';

export interface KeyCaller {
  tenantId: string;
  keyId: string;
  permissions: readonly Permission[];
  /** The device to which the recording key belongs. */
  device?: {
    deviceId: string;
    userGroup: string | null;
    /** The name of the user's account; null if the account is not that of a person. */
    user: string | null;
    level: CodingAgentLevel;
  };
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

export type Caller = AdminCaller | DeviceCaller;

export type CallerOf<R extends Route> = R['auth'] extends 'api-key'
  ? KeyCaller
  : R['auth'] extends 'session'
    ? SessionCaller
    : R['auth'] extends 'admin'
      ? AdminCaller
      : R['auth'] extends 'device'
        ? DeviceCaller
        : undefined;

/** A valid credential, whose `callerOf` decides which routes it may call. */
export interface Credential<Caller> {
  tenantId: string;
  /**
   * True for the session of a person but not for a token, because only people can leave a suspended
   * tenant.
   */
  isSession?: true;
  /** @throws ApiError `forbidden` if the credential may not call a route with this access */
  callerOf(access: Access): Caller | Promise<Caller>;
}

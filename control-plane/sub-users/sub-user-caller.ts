import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Access } from '#contract/route.ts';
import type { Credential, KeyCaller, SessionCaller } from '../http/caller.ts';
import type { Context } from '../context.ts';
import { mayCall, permissionsFor, roleFor } from '../identity/permission-rules.ts';
import { apiKeyOf } from '../identity/api-keys/key-caller.ts';
import { callerIdOf } from '../identity/is-sub-user.ts';
import { findSubUser, type SubUser } from './sub-user-permissions.ts';
import { TOKEN_PREFIX } from './token.ts';

/** Reads a sub-user token from either of the headers that accept API keys. */
export function subUserTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const presented = apiKeyOf(headers);
  return presented?.startsWith(TOKEN_PREFIX) ? presented : undefined;
}

/**
 * Authenticates a sub-user token. Routes for programs check its permissions, routes for people
 * check its roles, and routes for both accept either.
 *
 * @throws ApiError `unauthorized`, the same for all invalid tokens
 */
export async function credentialOfSubUser(
  context: Context,
  token: string,
): Promise<Credential<KeyCaller | SessionCaller>> {
  const subUser = await findSubUser(context, token);
  if (!subUser) throw new ApiError('invalid_credentials', 'the token is invalid');
  return {
    tenantId: subUser.tenantId,
    callerOf(access) {
      const caller = asPerson(subUser, access) ?? asProgram(subUser, access);
      if (!caller)
        throw new ApiError('missing_permission', `this token ${describeMissingAccess(access)}`);
      return caller;
    },
  };
}

function asPerson(subUser: SubUser, access: Access): SessionCaller | undefined {
  const { role } = subUser.privileges;
  if (!role || !mayCall({ role, permissions: [] }, access)) return undefined;
  return {
    tenantId: subUser.tenantId,
    sessionId: subUser.sessionId,
    userId: callerIdOf(subUser.subUserId),
    email: subUser.email ?? '',
    role,
  };
}

function asProgram(subUser: SubUser, access: Access): KeyCaller | undefined {
  const { permissions } = subUser.privileges;
  if (!mayCall({ role: null, permissions }, access)) return undefined;
  return { tenantId: subUser.tenantId, keyId: callerIdOf(subUser.subUserId), permissions };
}

function describeMissingAccess(access: Access): string {
  const role = roleFor(access);
  const [permission] = permissionsFor(access);
  const ofPrograms = permission ? `lacks the permission "${permission}"` : 'has no permission';
  const ofPeople = `lacks the role "${role}"`;
  if (access.auth === 'session') return ofPeople;
  return access.auth === 'admin' ? `${ofPrograms} and ${ofPeople}` : ofPrograms;
}

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import type { Context } from '../context.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import { opens, permissionsFor, roleFor } from '../identity/permission-rules.ts';
import { apiKeyOf } from '../identity/api-keys/key-caller.ts';
import { callerIdOf } from '../identity/is-sub-user.ts';
import { refuseSuspended } from '../tenancy/tenant-limits.ts';
import { findSubUser, type SubUser } from './sub-user.ts';
import { TOKEN_PREFIX } from './token.ts';

/** Reads a sub-user token from either of the headers that accept API keys. */
export function subUserTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const presented = apiKeyOf(headers);
  return presented?.startsWith(TOKEN_PREFIX) ? presented : undefined;
}

/**
 * Authenticates a sub-user token. Routes for programs check its permissions, routes for people its
 * roles, and routes for both accept either.
 *
 * @throws ApiError `unauthorized`, the same for all invalid tokens, or `forbidden`
 */
export async function callerOfSubUser(
  context: Context,
  route: Route,
  token: string,
): Promise<KeyCaller | SessionCaller> {
  const subUser = await findSubUser(context, token);
  if (!subUser) throw new ApiError('unauthorized', 'the token is invalid');
  await refuseSuspended(context.storage, subUser.tenantId);
  const caller = asPerson(subUser, route) ?? asProgram(subUser, route);
  if (!caller) throw new ApiError('forbidden', `this token ${lackOf(route)}`);
  return caller;
}

function asPerson(subUser: SubUser, route: Route): SessionCaller | undefined {
  const { role } = subUser.authority;
  if (!role || !opens({ role, permissions: [] }, route)) return undefined;
  return {
    tenantId: subUser.tenantId,
    sessionId: subUser.sessionId,
    userId: callerIdOf(subUser.subUserId),
    email: subUser.email ?? '',
    role,
  };
}

function asProgram(subUser: SubUser, route: Route): KeyCaller | undefined {
  const { permissions } = subUser.authority;
  if (!opens({ role: null, permissions }, route)) return undefined;
  return { tenantId: subUser.tenantId, keyId: callerIdOf(subUser.subUserId), permissions };
}

function lackOf(route: Route): string {
  const role = roleFor(route);
  const [permission] = permissionsFor(route);
  const ofPrograms = permission ? `lacks the permission "${permission}"` : 'has no permission';
  const ofPeople = `lacks the role "${role}"`;
  if (route.auth === 'session') return ofPeople;
  return route.auth === 'admin' ? `${ofPrograms} and ${ofPeople}` : ofPrograms;
}

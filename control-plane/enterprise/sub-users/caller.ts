import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { type Permission, type Role, type Route, roles } from '#contract/route.ts';
import type { Context } from '../../context.ts';
import type { KeyCaller, SessionCaller } from '../../http/call.ts';
import { permissionsFor } from '../../http/permissions.ts';
import { apiKeyOf } from '../../identity/key-caller.ts';
import { callerIdOf } from '../../identity/is-sub-user.ts';
import { refuseSuspended } from '../../tenancy/known-tenants.ts';
import { findSubUser, strongestRole, type SubUser } from './sub-user.ts';
import { TOKEN_PREFIX } from './token.ts';

/** The token of a sub-user, where one is presented: in either form in which a key is. */
export function subUserTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const presented = apiKeyOf(headers);
  return presented?.startsWith(TOKEN_PREFIX) ? presented : undefined;
}

/**
 * The sub-user behind a token. Where keys are asked for, its permissions decide; where people are,
 * its roles; where either is, either.
 *
 * @throws ApiError `unauthorized` alike for all tokens that are not valid, or `forbidden`
 */
export async function callerOfSubUser(
  context: Context,
  route: Route,
  token: string,
): Promise<KeyCaller | SessionCaller> {
  const subUser = await findSubUser(context, token);
  if (!subUser) throw new ApiError('unauthorized', 'the token is not valid');
  await refuseSuspended(context.storage, subUser.tenantId);
  const asPerson = route.auth === 'api-key' ? undefined : asSession(subUser, weakestRole(route));
  const asProgram = route.auth === 'session' ? undefined : asKey(subUser, permissionsFor(route));
  const caller = asPerson ?? asProgram;
  if (!caller) throw new ApiError('forbidden', `this token ${lackOf(route)}`);
  return caller;
}

const weakestRole = ({ auth, role }: Route): Role =>
  role ?? (auth === 'admin' ? 'admin' : 'viewer');

function asSession(subUser: SubUser, weakest: Role): SessionCaller | undefined {
  const role = strongestRole(subUser.roles);
  if (!role || roles.indexOf(role) < roles.indexOf(weakest)) return undefined;
  return {
    tenantId: subUser.tenantId,
    sessionId: subUser.sessionId,
    userId: callerIdOf(subUser.subUserId),
    email: subUser.email ?? '',
    role,
  };
}

function asKey(subUser: SubUser, anyOf: readonly Permission[]): KeyCaller | undefined {
  const { tenantId, sessionId: keyId, permissions } = subUser;
  // Every key may do something; a token that was given nothing is no key.
  const mayCall =
    anyOf.length > 0 ? anyOf.some((one) => permissions.includes(one)) : permissions.length > 0;
  if (!mayCall) return undefined;
  return { tenantId, keyId, permissions };
}

function lackOf(route: Route): string {
  const role = weakestRole(route);
  const [permission] = permissionsFor(route);
  const ofPrograms = permission ? `lacks the permission "${permission}"` : 'has no permission';
  const ofPeople = `lacks the role "${role}"`;
  if (route.auth === 'session') return ofPeople;
  return route.auth === 'admin' ? `${ofPrograms} and ${ofPeople}` : ofPrograms;
}

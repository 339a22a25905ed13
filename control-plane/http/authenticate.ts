import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { callerOfCertificate } from '../devices/caller.ts';
import { callerOfSubUser, subUserTokenOf } from '../sub-users/caller.ts';
import { opens, permissionsFor, roleFor } from '../identity/permission-rules.ts';
import { apiKeyOf, callerOfKey } from '../identity/api-keys/key-caller.ts';
import { callerOfSession, isCrossOrigin } from '../identity/sessions/session-caller.ts';
import type { DeviceCaller, KeyCaller, SessionCaller } from './caller.ts';

/** Authenticates the caller and checks authorization, as declared by the route. */
export async function authenticate(
  context: Context,
  route: Route,
  request: IncomingMessage,
): Promise<KeyCaller | SessionCaller | DeviceCaller | undefined> {
  const takesTokens = route.auth !== 'none' && route.auth !== 'device';
  const token = takesTokens && subUserTokenOf(request.headers);
  if (token) return await callerOfSubUser(context, route, token);
  switch (route.auth) {
    case 'none':
      return anonymous(context, route, request);
    case 'api-key':
      return await byKey(context, route, request);
    case 'session':
      if (bringsOnlyKey(request))
        throw new ApiError('unauthorized', 'sign in: an API key is not accepted here');
      return await callerOfSession(context, request, roleFor(route), route);
    case 'admin':
      return await (hasApiKey(request)
        ? byKey(context, route, request)
        : callerOfSession(context, request, roleFor(route)));
    case 'device':
      return await callerOfCertificate(context, request);
  }
}

/** Signing in sets a cookie: another site must not do that for its visitors. */
function anonymous(context: Context, route: Route, request: IncomingMessage): undefined {
  if (route.method !== 'GET' && isCrossOrigin(context, request))
    throw new ApiError('forbidden', 'cross-origin request refused');
}

async function byKey(context: Context, route: Route, request: IncomingMessage): Promise<KeyCaller> {
  const caller = await callerOfKey(context, request);
  if (opens({ role: null, permissions: caller.permissions }, route)) return caller;
  throw new ApiError(
    'forbidden',
    `this API key lacks the permission "${permissionsFor(route)[0]}"`,
  );
}

/** Keys and session tokens are both sent as bearer; keys have a fixed prefix. */
const hasApiKey = ({ headers }: IncomingMessage): boolean =>
  headers['x-svc-key'] !== undefined || (apiKeyOf(headers)?.startsWith('svc_') ?? false);

/** On routes for people only, an API key is reported as such instead of as an ended session. */
const bringsOnlyKey = ({ headers }: IncomingMessage): boolean =>
  headers.cookie === undefined && (apiKeyOf(headers)?.startsWith('svc_sk_') ?? false);

import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Permission, Route } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { callerOfCertificate } from '../endpoint/caller.ts';
import { apiKeyOf, callerOfKey } from '../identity/key-caller.ts';
import { callerOfSession, isForeign } from '../identity/session-caller.ts';
import type { DeviceCaller, KeyCaller, SessionCaller } from './call.ts';

/** Who calls, and may they? The kind of caller is part of the route's registration. */
export async function authenticate(
  context: Context,
  route: Route,
  request: IncomingMessage,
): Promise<KeyCaller | SessionCaller | DeviceCaller | undefined> {
  switch (route.auth) {
    case 'none':
      // Signing in sets a cookie: another site must not do that for its visitors.
      if (route.method !== 'GET' && isForeign(context, request))
        throw new ApiError('forbidden', 'this must come from the console or from no web page');
      return undefined;
    case 'api-key':
      return byKey(context, request, route.permission);
    case 'session':
      return callerOfSession(context, request, route.role ?? 'viewer');
    case 'admin':
      return bringsKey(request)
        ? byKey(context, request, route.permission ?? 'admin')
        : callerOfSession(context, request, route.role ?? 'admin');
    case 'device':
      return callerOfCertificate(context, request.socket);
  }
}

async function byKey(
  context: Context,
  request: IncomingMessage,
  needed: Permission | undefined,
): Promise<KeyCaller> {
  const caller = await callerOfKey(context, request.headers);
  if (needed && !caller.permissions.includes(needed))
    throw new ApiError('forbidden', `this API key lacks the permission "${needed}"`);
  return caller;
}

/** Keys and the tokens of sessions are both sent as bearer; keys begin alike. */
const bringsKey = ({ headers }: IncomingMessage): boolean =>
  headers['x-svc-key'] !== undefined || (apiKeyOf(headers)?.startsWith('svc_') ?? false);

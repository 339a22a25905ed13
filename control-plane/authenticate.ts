import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Access, Route } from '#contract/route.ts';
import type { Context } from './context.ts';
import { credentialOfRecordingKey, recordingKeyOf } from './recording-keys/recording-key-caller.ts';
import { credentialOfCertificate } from './devices/device-caller.ts';
import type { CertificateRequest } from './http/client-certificate.ts';
import type { Caller, DeviceCaller, SessionCaller, Credential } from './http/caller.ts';
import { apiKeyOf, credentialOfKey } from './identity/api-keys/key-caller.ts';
import { credentialOfSession, isCrossOrigin } from './identity/sessions/session-caller.ts';
import { credentialOfSubUser, subUserTokenOf } from './sub-users/sub-user-caller.ts';
import { authorize } from './tenants/authorize.ts';

/**
 * Authenticates the caller and checks authorization, as declared by the route.
 *
 * @throws ApiError `unauthorized` or `forbidden`
 */
export async function authenticate(
  context: Context,
  route: Route,
  request: IncomingMessage,
): Promise<Caller | undefined> {
  const credential = await credentialOf(context, route, request);
  return credential && authorize(context, credential, route);
}

/**
 * Authenticates a call over gRPC, whose metadata are headers.
 *
 * @throws ApiError `unauthorized` or `forbidden`
 */
export const callerOfHeaders = async (
  context: Context,
  headers: IncomingHttpHeaders,
  access: Access & { auth: 'api-key' },
): Promise<Caller> => authorize(context, await credentialOfProgram(context, { headers }), access);

/**
 * Authenticates a WebSocket of the console.
 *
 * @throws ApiError `unauthorized` or `forbidden`
 */
export const callerOfSession = async (
  context: Context,
  request: IncomingMessage,
  access: Access,
): Promise<SessionCaller> =>
  authorize(context, await credentialOfSession(context, request), access);

/**
 * Authenticates a WebSocket of a device, or an idle connection.
 *
 * @throws ApiError `unauthorized`, or `forbidden` if its tenant is suspended
 */
export const callerOfDevice = async (
  context: Context,
  request: CertificateRequest,
): Promise<DeviceCaller> =>
  authorize(context, await credentialOfCertificate(context, request), { auth: 'device' });

async function credentialOf(
  context: Context,
  route: Route,
  request: IncomingMessage,
): Promise<Credential<Caller> | undefined> {
  const takesTokens = route.auth === 'session' || route.auth === 'admin';
  const token = takesTokens && subUserTokenOf(request.headers);
  if (token) return credentialOfSubUser(context, token);
  switch (route.auth) {
    case 'none':
      return refuseCrossOrigin(context, route, request);
    case 'api-key':
      return credentialOfProgram(context, request);
    case 'session':
      if (hasOnlyApiKey(request))
        throw new ApiError('missing_credentials', 'sign in: an API key is not accepted here');
      return credentialOfSession(context, request);
    case 'admin':
      return hasApiKey(request)
        ? credentialOfKey(context, request)
        : credentialOfSession(context, request);
    case 'device':
      return credentialOfCertificate(context, request);
  }
}

function credentialOfProgram(
  context: Context,
  request: Pick<IncomingMessage, 'headers' | 'url'>,
): Promise<Credential<Caller>> {
  const token = subUserTokenOf(request.headers);
  if (token) return credentialOfSubUser(context, token);
  const key = recordingKeyOf(request.headers);
  return key === undefined
    ? credentialOfKey(context, request)
    : credentialOfRecordingKey(context, key);
}

/**
 * Refuses cross-origin requests to public routes: signing in sets a cookie, and another site must
 * not do that for its visitors.
 */
function refuseCrossOrigin(context: Context, route: Route, request: IncomingMessage): undefined {
  if (route.method !== 'GET' && isCrossOrigin(context, request))
    throw new ApiError('csrf_rejected', 'cross-origin request refused');
}

/**
 * Whether the request has an API key. Keys and session tokens are both sent as bearer tokens, but
 * keys have a fixed prefix.
 */
const hasApiKey = ({ headers }: IncomingMessage): boolean =>
  headers['x-svc-key'] !== undefined || (apiKeyOf(headers)?.startsWith('svc_') ?? false);

/**
 * Whether an API key is the only credential. Routes for people only then report the key instead of
 * an ended session.
 */
const hasOnlyApiKey = ({ headers }: IncomingMessage): boolean =>
  headers.cookie === undefined && (apiKeyOf(headers)?.startsWith('svc_sk_') ?? false);

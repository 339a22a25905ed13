import type { Configuration } from 'openid-client';
import { ApiError } from '#contract/errors.ts';
import type { OidcSettings } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Pending } from './pending.ts';
import { loadClient } from './discovery.ts';
import { providerOf, reasonOf } from './provider.ts';

const CALLBACK = '/api/v1/auth/oidc/callback/';

/** The identity of a user, as asserted by the provider. */
export interface Identity {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

export const callbackOf = ({ urls }: Context): URL => new URL(CALLBACK, urls.public);

/** Returns the authorization URL and the state to verify in the callback. */
export async function beginExchange(
  context: Context,
  settings: OidcSettings,
  return_to: string,
): Promise<{ url: URL; pending: Pending }> {
  const provider = await providerOf(context, settings);
  const client = await loadClient();
  const pending = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    return_to,
  };
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: callbackOf(context).href,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    state: pending.state,
    nonce: pending.nonce,
  });
  return { url, pending };
}

/**
 * @throws ApiError `unauthorized` if any part of the provider's response is invalid
 */
export async function finishExchange(
  context: Context,
  settings: OidcSettings,
  { search, pending }: { search: string; pending: Pending },
): Promise<Identity> {
  const provider = await providerOf(context, settings);
  const client = await loadClient();
  const url = callbackOf(context);
  url.search = search;
  try {
    const tokens = await client.authorizationCodeGrant(provider, url, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (!idToken) throw new Error('the response has no ID token');
    const { iss: issuer, sub: subject } = idToken;
    const more = await userInfo(provider, tokens.access_token, idToken);
    return { issuer, subject, claims: { ...more, ...idToken } };
  } catch (error) {
    throw refusalFor(context, error);
  }
}

/**
 * Returns the claims of the user. Some providers put the email into the ID token, and others return
 * it only from the userinfo endpoint.
 */
async function userInfo(
  provider: Configuration,
  accessToken: string,
  { sub }: { sub: string },
): Promise<Readonly<Record<string, unknown>>> {
  const { fetchUserInfo } = await loadClient();
  if (!provider.serverMetadata().userinfo_endpoint) return {};
  return fetchUserInfo(provider, accessToken, sub);
}

function refusalFor({ log }: Context, error: unknown): ApiError {
  log.warn({ reason: reasonOf(error) }, 'sign-in with the provider was rejected');
  const { code } = error as { code?: string };
  if (code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && !code))
    return new ApiError('sign_in_provider_failed', 'unexpected response from the sign-in provider');
  return new ApiError('sign_in_denied', code === DENIED ? NOT_LET_IN : DOES_NOT_HOLD);
}

const DENIED = 'OAUTH_AUTHORIZATION_RESPONSE_ERROR';
const NOT_LET_IN = 'the sign-in provider denied the sign-in';
const DOES_NOT_HOLD = "the sign-in provider's response is invalid: sign in again";

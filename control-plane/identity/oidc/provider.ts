import type { Configuration } from 'openid-client';
import { ApiError } from '#contract/errors.ts';
import type { OidcSettings } from '../../config.ts';
import type { Context } from '../../context.ts';
import { activeAddOns, requireAddOn } from '../../enterprise/add-ons.ts';
import { firstTenant } from '../../tenancy/queries.ts';

const TOLERANCE_SECONDS = 60;
const TIMEOUT_SECONDS = 10;

/** Loaded on demand, only where OIDC sign-in is used. */
export const loadClient = () => import('openid-client');

const discovered = new WeakMap<OidcSettings, Promise<Configuration>>();

/**
 * @throws ApiError `not_found` if no provider is configured, `forbidden` without the add-on
 */
export async function settingsOf(context: Context): Promise<OidcSettings> {
  const { oidc } = context.config;
  if (!oidc)
    throw new ApiError('not_found', 'sign-in with an OpenID Connect provider is not configured');
  await requireAddOn(context, await tenantOfProvider(context), 'sso');
  return oidc;
}

/** The provider's host if OIDC sign-in is available; otherwise null. */
export async function offeredProvider(context: Context): Promise<string | null> {
  const { oidc } = context.config;
  if (!oidc) return null;
  const active = await activeAddOns(context, await tenantOfProvider(context));
  return active.has('sso') ? oidc.issuer.host : null;
}

/** The provider of an installation serves users of the first tenant only. */
const tenantOfProvider = async ({ storage }: Context): Promise<string> =>
  (await firstTenant(storage.db)).id;

/** The provider's discovery document; cached, and retried after a failure. */
export async function providerOf(context: Context, settings: OidcSettings): Promise<Configuration> {
  let pending = discovered.get(settings);
  if (!pending) discovered.set(settings, (pending = discover(settings)));
  try {
    return await pending;
  } catch (error) {
    discovered.delete(settings);
    context.log.warn(
      { reason: reasonOf(error) },
      `OpenID Connect discovery at ${settings.issuer.href} failed`,
    );
    throw new ApiError('bad_gateway', 'unexpected response from the sign-in provider');
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await loadClient();
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: TOLERANCE_SECONDS };
  // Verifies signatures even though the tokens come directly from the provider over TLS.
  const execute = [client.enableNonRepudiationChecks];
  if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
  return client.discovery(issuer, clientId, metadata, undefined, {
    execute,
    timeout: TIMEOUT_SECONDS,
  });
}

/** Error description for the log, without tokens that the error may contain. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  return `${code ?? 'error'}: ${message}${inner}`;
}

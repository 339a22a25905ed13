import type { Configuration } from 'openid-client';
import { ApiError } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import type { OidcSettings } from '../../config.ts';
import type { Context } from '../../context.ts';
import { firstTenant, activeAddOns } from '../../tenants/queries.ts';
import { authorize } from '../../tenants/authorize.ts';

/**
 * Returns the settings for a route that needs them.
 *
 * @throws ApiError `not_found` if no provider is configured, `forbidden` without the add-on
 */
export async function settingsOf(context: Context, route: Route): Promise<OidcSettings> {
  const { oidc } = context.config;
  if (!oidc)
    throw new ApiError(
      'not_configured',
      'sign-in with an OpenID Connect provider is not configured',
    );
  const credential = { tenantId: await tenantOfProvider(context), callerOf: () => oidc };
  return authorize(context, credential, route);
}

/** Returns the provider's host if OIDC sign-in is available; otherwise null. */
export async function offeredProvider(context: Context): Promise<string | null> {
  const { oidc } = context.config;
  if (!oidc) return null;
  const active = await activeAddOns(context, await tenantOfProvider(context));
  return active.has('sso') ? oidc.issuer.host : null;
}

/**
 * Returns the tenant of the provider, which serves only users of the installation's first tenant.
 */
export const tenantOfProvider = async ({ storage }: Context): Promise<string> =>
  (await firstTenant(storage.db)).id;

/** Returns the provider's discovery document. It is cached, and requested again after a failure. */
export async function providerOf(context: Context, settings: OidcSettings): Promise<Configuration> {
  try {
    return await context.discoverProvider(settings);
  } catch (error) {
    context.log.warn(
      { reason: reasonOf(error) },
      `OpenID Connect discovery at ${settings.issuer.href} failed`,
    );
    throw new ApiError('sign_in_provider_failed', 'unexpected response from the sign-in provider');
  }
}

/** Describes an error for the log, without tokens that the error may contain. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  return `${code ?? 'error'}: ${message}${inner}`;
}

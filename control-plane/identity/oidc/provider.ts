import type { Configuration } from 'openid-client';
import { ApiError } from '#contract/errors.ts';
import type { OidcSettings } from '../../config.ts';
import type { Context } from '../../context.ts';
import { activeAddOns, requireAddOn } from '../../enterprise/add-ons.ts';
import { firstTenant } from '../../tenancy/queries.ts';

const TOLERANCE_SECONDS = 60;
const TIMEOUT_SECONDS = 10;

/** The library is loaded only where somebody signs in with it. */
export const loadClient = () => import('openid-client');

const discovered = new WeakMap<OidcSettings, Promise<Configuration>>();

/** @throws ApiError `not_found` where no provider is configured, `forbidden` without the add-on */
export async function settingsOf(context: Context): Promise<OidcSettings> {
  const { oidc } = context.config;
  if (!oidc)
    throw new ApiError('not_found', "signing in with the company's provider is not set up here");
  await requireAddOn(context, await tenantOfProvider(context), 'sso');
  return oidc;
}

/** The provider's host, where people can sign in with it now. */
export async function offeredProvider(context: Context): Promise<string | null> {
  const { oidc } = context.config;
  if (!oidc) return null;
  const active = await activeAddOns(context, await tenantOfProvider(context));
  return active.has('sso') ? oidc.issuer.host : null;
}

/** The provider of an installation is for the users of its first tenant. */
const tenantOfProvider = async ({ storage }: Context): Promise<string> =>
  (await firstTenant(storage.db)).id;

/** What the provider says of itself; asked once, and again after it could not be asked. */
export async function providerOf(context: Context, settings: OidcSettings): Promise<Configuration> {
  let found = discovered.get(settings);
  if (!found) discovered.set(settings, (found = discover(settings)));
  try {
    return await found;
  } catch (error) {
    discovered.delete(settings);
    context.log.warn({ reason: reasonOf(error) }, `${settings.issuer.href} could not be asked`);
    throw new ApiError('bad_gateway', 'the sign-in provider does not answer as it should');
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await loadClient();
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: TOLERANCE_SECONDS };
  // Signatures are checked although the tokens come from the provider itself over TLS.
  const execute = [client.enableNonRepudiationChecks];
  if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
  return client.discovery(issuer, clientId, metadata, undefined, {
    execute,
    timeout: TIMEOUT_SECONDS,
  });
}

/** For the log: what went wrong, without the tokens that the error may carry. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message: string; cause?: unknown };
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  return `${code ?? 'error'}: ${message}${inner}`;
}

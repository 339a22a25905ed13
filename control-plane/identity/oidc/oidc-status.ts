import type { Context } from '../../context.ts';
import type { OidcSettings } from '../../config.ts';
import { activeAddOns } from '../../tenants/queries.ts';
import { callbackOf } from './exchange.ts';
import { reasonOf, tenantOfProvider } from './provider.ts';

/**
 * Returns the provider as administrators of its tenant see it. Other tenants only see that it is
 * not theirs.
 */
export async function oidcStatus(context: Context, tenantId: string) {
  const { oidc } = context.config;
  if (!oidc) return { status: 'not_configured', provider: null } as const;
  if (tenantId !== (await tenantOfProvider(context)))
    return { status: 'other_tenant', provider: null } as const;
  const active = await activeAddOns(context, tenantId);
  if (!active.has('sso')) return { status: 'add_on_required', provider: null } as const;
  return { status: 'active', provider: await providerView(context, oidc) } as const;
}

const providerView = async (context: Context, oidc: OidcSettings) => ({
  issuer: oidc.issuer.href,
  client_id: oidc.clientId,
  redirect_uri: callbackOf(context).href,
  allowed_domains: oidc.allowedDomains ? [...oidc.allowedDomains] : null,
  role_claim: oidc.roleClaim ?? null,
  role_map: { ...oidc.roleMap },
  default_role: oidc.defaultRole,
  problem: await context.discoverProvider(oidc).then(() => null, reasonOf),
});

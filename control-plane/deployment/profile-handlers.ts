import type { deploymentRoutes } from '#contract/deployment.ts';
import { ApiError } from '#contract/errors.ts';
import { readHostList } from '#profile-builder/capture-hosts.ts';
import { ProfileError } from '#profile-builder/profile-error.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { ProfileInput } from '#profile-builder/profile-input.ts';
import type { Context } from '../context.ts';
import { attachment } from '../http/download.ts';
import type { Handlers } from '../handler.ts';
import { newApiKey } from '../lib/api-key.ts';
import { firstTenant } from '../tenants/queries.ts';
import { deviceUrlOf, hasTenantHostNames } from '../lib/device-address.ts';
import { listLiveRoots } from '../authorities/queries.ts';
import {
  type ByAdmin,
  type ProfileOptions,
  refuseWithoutEnroll,
  storeEnrollKey,
} from './enroll-key.ts';

type ProfileRoutes = Pick<typeof deploymentRoutes, 'getMdmProfile' | 'createMdmProfile'>;

export const profileHandlers: Handlers<ProfileRoutes> = {
  getMdmProfile: (context, request) =>
    makeProfile(context, request, {
      hosts: readHosts(request.query.hosts),
      payloads: request.query.payloads,
      codingAgents: request.query.coding_agents,
      toolChecks: request.query.tool_checks,
    }),

  createMdmProfile: (context, request) =>
    makeProfile(context, request, {
      hosts: readHosts(request.body.hosts.join(',')),
      payloads: request.body.payloads ?? undefined,
      codingAgents: request.body.coding_agents ?? undefined,
      toolChecks: request.body.tool_checks ?? undefined,
    }),
};

type Making = ByAdmin & { setHeader: (name: string, value: string) => void };

/**
 * Creates a profile. The key is stored after the profile was built, so that a failed build leaves
 * no key.
 */
async function makeProfile(
  context: Context,
  request: Making,
  options: ProfileOptions,
): Promise<string> {
  const { caller } = request;
  const { app } = context.config;
  await refuseWithoutEnroll(context, caller);
  await refuseUnserved(context, caller.tenantId);
  const teamId = requireTeamId(app);
  const secret = newApiKey();
  const profile = await build(context, {
    apiUrl: deviceUrlOf(context.urls.device, caller.tenantId),
    apiKey: secret,
    rootCertificates: await rootsOf(context, caller.tenantId),
    ...options,
    appName: app.name,
    bundleId: app.bundleId,
    teamId,
    now: context.now(),
  });
  await storeEnrollKey(context, request, { secret, ...options });
  request.setHeader('Content-Disposition', attachment(`${app.name}.mobileconfig`));
  return profile;
}

/** Reads the hosts. A form that is submitted without hosts sends `hosts=`. */
function readHosts(list: string | undefined): string[] {
  if (!list) return [];
  const read = readHostList(list);
  if ('hosts' in read) return read.hosts;
  throw new ApiError('validation_error', `hosts: ${read.error}`, { hosts: read.invalidHosts });
}

/**
 * Refuses tenants that the listener cannot serve. A device trusts only its own tenant's root, but
 * without a host name per tenant, the listener presents that of the first tenant.
 */
async function refuseUnserved({ storage, urls }: Context, tenantId: string): Promise<void> {
  if (hasTenantHostNames(urls.device) || (await firstTenant(storage.db)).id === tenantId) return;
  throw new ApiError(
    'setting_required',
    `devices of this tenant cannot connect to ${urls.device}, which presents a certificate of another tenant's ` +
      'root: the operator of Gatehouse has to set DEVICE_URL with "*" for the tenant, as in ' +
      'https://*.devices.example.com:8443',
  );
}

/**
 * Returns the Apple team. A profile with the extensions of the wrong team can be installed without
 * an error, but has no effect.
 */
function requireTeamId({ teamId }: Context['config']['app']): string {
  if (teamId !== null) return teamId;
  throw new ApiError(
    'setting_required',
    'APPLE_TEAM_ID is not set, and the profile allows system extensions of that team only: the ' +
      'operator of Gatehouse has to set it to the ten-character id of the Apple team that signs the app',
  );
}

/**
 * Returns the roots for a profile. Expired roots that are not retired yet are useless to devices
 * and are omitted.
 */
async function rootsOf(context: Context, tenantId: string): Promise<string[]> {
  const roots = await listLiveRoots(context.storage.db, tenantId);
  if (roots.length === 0)
    throw new ApiError(
      'no_valid_root',
      'this tenant has no certificate authority, which the profile requires',
    );
  const lasting = roots.filter((root) => describeCertificate(root).notAfter > context.now());
  if (lasting.length > 0) return lasting;
  throw new ApiError(
    'no_valid_root',
    'every root of this tenant has expired: create and activate the next root first',
  );
}

/** Builds a profile. A failure is caused by the installation: its names, its URL or its roots. */
async function build(context: Context, input: ProfileInput): Promise<string> {
  // The property list parser is loaded only when it is needed.
  const { buildProfile } = await import('#profile-builder/profile.ts');
  try {
    return buildProfile(input);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    context.log.error(error.message);
    throw new ApiError('internal_error', error.message, {}, { cause: error });
  }
}

import { OWNER } from './control-plane.ts';
import {
  type Write,
  PASSWORD,
  uniqueName,
  makeKey,
  makeSubTenant,
  createSubTenantClient,
  activateAddOn,
  makeUser,
  makeSession,
  signIn,
} from './audited-fixtures.ts';

/** The audited writes of users, keys and tenants; see `auditedWrites`. */
export const identityWrites: Readonly<Record<string, Write>> = {
  'identity.addBrowserSession': ({ byOwner }) =>
    Promise.resolve(() => byOwner.identity.addBrowserSession({ body: OWNER })),
  'identity.login': (service) =>
    Promise.resolve(() => service.by({}).identity.login({ body: OWNER })),
  'identity.logout': async (service) => {
    const session = await signIn(service, OWNER);
    return () => session.identity.logout();
  },
  'identity.changePassword': async (service) => {
    const { session } = await makeSession(service);
    const body = { current_password: PASSWORD, new_password: `another ${PASSWORD}` };
    return () => session.identity.changePassword({ body });
  },
  'identity.endOtherSessions': async (service) => {
    const { session, user } = await makeSession(service);
    await signIn(service, user);
    return () => session.identity.endOtherSessions();
  },
  'identity.endSession': async (service) => {
    const { session, user } = await makeSession(service);
    await signIn(service, user);
    const { results } = await session.identity.listSessions();
    const id = results.find(({ current }) => !current)?.id ?? '';
    return () => session.identity.endSession({ params: { id } });
  },
  'identity.createUser': ({ byOwner }) => {
    const body = { email: `${uniqueName('user')}@example.test`, role: 'viewer' } as const;
    return Promise.resolve(() => byOwner.identity.createUser({ body }));
  },
  'identity.updateUser': async (service) => {
    const { params } = await makeUser(service);
    return () => service.byOwner.identity.updateUser({ params, body: { role: 'analyst' } });
  },
  'identity.deleteUser': async (service) => {
    const { params } = await makeUser(service);
    return () => service.byOwner.identity.deleteUser({ params });
  },
  'identity.resetPassword': async (service) => {
    const { params } = await makeUser(service);
    return () => service.byOwner.identity.resetPassword({ params });
  },
  'identity.endUserSessions': async (service) => {
    const { params } = await makeSession(service);
    return () => service.byOwner.identity.endUserSessions({ params });
  },
  'identity.endUserSession': async (service) => {
    const { params } = await makeSession(service);
    const { results } = await service.byOwner.identity.listUserSessions({ params });
    const session_id = results[0]?.id ?? '';
    return () => service.byOwner.identity.endUserSession({ params: { ...params, session_id } });
  },
  'identity.putIdentitySettings': ({ byOwner }) =>
    Promise.resolve(() =>
      byOwner.identity.putIdentitySettings({ body: { password_max_age_days: 365 } }),
    ),
  'identity.createApiKey': ({ byOwner }) => Promise.resolve(() => makeKey(byOwner)),
  'identity.rotateApiKey': async ({ byOwner }) => {
    const params = { id: (await makeKey(byOwner)).id };
    return () => byOwner.identity.rotateApiKey({ params, body: {} });
  },
  'identity.revokeApiKey': async ({ byOwner }) => {
    const params = { id: (await makeKey(byOwner)).id };
    return () => byOwner.identity.revokeApiKey({ params });
  },

  'subTenants.createSubTenant': ({ byKey }) => {
    const body = { name: uniqueName('sub-tenant') };
    return Promise.resolve(() => byKey.subTenants.createSubTenant({ body }));
  },
  'subTenants.updateSubTenant': async ({ byKey }) => {
    const params = await makeSubTenant(byKey);
    return () =>
      byKey.subTenants.updateSubTenant({ params, body: { external_id: uniqueName('crm') } });
  },
  'subTenants.suspendSubTenant': async ({ byKey }) => {
    const params = await makeSubTenant(byKey);
    return () => byKey.subTenants.suspendSubTenant({ params, body: {} });
  },
  'subTenants.resumeSubTenant': async ({ byKey }) => {
    const params = await makeSubTenant(byKey);
    await byKey.subTenants.suspendSubTenant({ params, body: {} });
    return () => byKey.subTenants.resumeSubTenant({ params });
  },
  'subUsers.issueSubUserToken': ({ byKey }) => {
    const body = { sub_user_id: uniqueName('sub-user') };
    return Promise.resolve(() => byKey.subUsers.issueSubUserToken({ body }));
  },
  'subUsers.revokeSubUser': async ({ byKey }) => {
    const params = { sub_user_id: uniqueName('sub-user') };
    await byKey.subUsers.issueSubUserToken({ body: params });
    return () => byKey.subUsers.revokeSubUser({ params });
  },
  'enterprise.setTenantRegion': async ({ byKey }) => {
    const { regions } = await byKey.enterprise.listRegions();
    const body = { region_code: regions.at(-1)?.code ?? '' };
    return () => byKey.enterprise.setTenantRegion({ body });
  },
  // All add-ons of the first tenant are active at the start.
  'enterprise.activateAddOn': async (service) => {
    const by = await createSubTenantClient(service);
    return Object.assign(() => activateAddOn(by), { by });
  },
  'enterprise.cancelAddOn': async (service) => {
    const by = await createSubTenantClient(service);
    await activateAddOn(by);
    const params = { add_on_code: 'insights' };
    return Object.assign(() => by.enterprise.cancelAddOn({ params }), { by });
  },
};

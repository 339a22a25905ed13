import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['identity'];

export type ManagedUser = RouteResponse<Routes['getUser']>;
export type SignedInSession = RouteResponse<Routes['listSessions']>['results'][number];
export type SignInMethods = RouteResponse<Routes['listSignInMethods']>;
export type SignInSettings = RouteResponse<Routes['getSignInSettings']>;
export type BrowserSession = RouteResponse<Routes['listBrowserSessions']>['results'][number];
export type IdentitySettings = RouteResponse<Routes['getIdentitySettings']>;

const noTopics = { topics: [] } as const;

export const managedUsers = (): Source<ManagedUser[]> => ({
  ...noTopics,
  key: 'managed users',
  load: async (signal) => (await api.identity.listUsers(undefined, { signal })).results,
});

export const userSessions = (id: string): Source<SignedInSession[]> => ({
  ...noTopics,
  key: keyFor('user sessions', id),
  load: async (signal) =>
    (await api.identity.listUserSessions({ params: { id } }, { signal })).results,
});

export const ownSessions = (): Source<SignedInSession[]> => ({
  ...noTopics,
  key: 'own sessions',
  load: async (signal) => (await api.identity.listSessions(undefined, { signal })).results,
});

export const identitySettings = (): Source<IdentitySettings> => ({
  ...noTopics,
  key: 'identity settings',
  load: (signal) => api.identity.getIdentitySettings(undefined, { signal }),
});

export const signInMethods = (): Source<SignInMethods> => ({
  ...noTopics,
  key: 'sign-in methods',
  load: (signal) => api.identity.listSignInMethods(undefined, { signal }),
});

export const signInSettings = (): Source<SignInSettings> => ({
  ...noTopics,
  key: 'sign-in settings',
  load: (signal) => api.identity.getSignInSettings(undefined, { signal }),
});

/** The sessions that this browser holds. */
export const browserSessions = (): Source<BrowserSession[]> => ({
  ...noTopics,
  key: 'browser sessions',
  load: async (signal) => (await api.identity.listBrowserSessions(undefined, { signal })).results,
});

import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['identity'];

export type ApiKey = RouteResponse<Routes['listApiKeys']>['results'][number];

export const apiKeys = (): Source<ApiKey[]> => ({
  key: 'api-keys',
  topics: [],
  load: async (signal) => (await api.identity.listApiKeys(undefined, { signal })).results,
});

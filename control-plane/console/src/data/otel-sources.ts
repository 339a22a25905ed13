import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['otel'];

export type UnmappedName = RouteResponse<Routes['listUnmappedAttributes']>['results'][number];
export type UnmappedExample = NonNullable<UnmappedName['example']>;
export type Rejection = RouteResponse<Routes['listRejectedSpans']>['results'][number];

interface Paging {
  limit: number;
  offset: number;
}

// Traces that become runs are signalled; log events and rejections are not.
const often = { topics: ['runs'], throttleMs: 5000, pollMs: 15_000 } as const;

export const unmappedNames = (paging: Paging): Source<LoadedList<UnmappedName>> => ({
  ...often,
  key: keyFor('unmapped names', paging),
  load: (signal) => api.otel.listUnmappedAttributes({ query: paging }, { signal }),
});

export const rejections = (paging: Paging): Source<LoadedList<Rejection>> => ({
  ...often,
  key: keyFor('rejections', paging),
  load: (signal) => api.otel.listRejectedSpans({ query: paging }, { signal }),
});

import { createClient, ResponseError } from '#contract/client.ts';
import { policyRoutes } from '#contract/policies.ts';
import type { PolicyDocument } from '#contract/policy-document.ts';
import type { RouteResponse } from '#contract/route.ts';
import type { Target } from './config.ts';
import type { StoredPolicy } from './plan.ts';

/** API calls for policy files. Failures are errors with a one-line message. */
export interface ControlPlane {
  list(): Promise<StoredPolicy[]>;
  create(document: PolicyDocument, note: string): Promise<void>;
  /** Fails if the policy has changed since it was listed. */
  replace(stored: StoredPolicy, document: PolicyDocument, note: string): Promise<void>;
  remove(stored: StoredPolicy, note: string): Promise<void>;
}

const PAGE_SIZE = 100;

export function connect({ url, apiKey }: Target): ControlPlane {
  const client = createClient(
    { policies: policyRoutes },
    { baseUrl: url, headers: () => ({ 'X-Svc-Key': apiKey }) },
  );
  const withUrl = <T>(response: Promise<T>): Promise<T> =>
    response.catch((error: unknown) => {
      throw new Error(`${url}: ${reasonOf(error)}`, { cause: error });
    });
  return {
    async list() {
      const policies: StoredPolicy[] = [];
      for (;;) {
        const query = { limit: PAGE_SIZE, offset: policies.length };
        const { results, next } = await withUrl(client.policies.listPolicies({ query }));
        policies.push(...results.map(storedOf));
        if (next === null || results.length === 0) return policies;
      }
    },
    async create(document, note) {
      await withUrl(client.policies.createPolicy({ body: { ...document, note } }));
    },
    async replace({ id, version }, document, note) {
      const body = { ...document, version, note };
      await withUrl(client.policies.replacePolicy({ params: { id }, body }));
    },
    async remove({ id }, note) {
      await withUrl(client.policies.deletePolicy({ params: { id }, query: { note } }));
    },
  };
}

type Answered = RouteResponse<(typeof policyRoutes)['listPolicies']>['results'][number];

function storedOf(policy: Answered): StoredPolicy {
  const { id, version, created_at: _created, updated_at: _updated, ...rest } = policy;
  const { hits: _hits, last_triggered_at: _last, ...document } = rest;
  const { scope } = document;
  const whole = { agents: [], workflows: [], user_groups: [], ...scope };
  return { id, version, document: { ...document, scope: whole } };
}

function reasonOf(error: unknown): string {
  if (error instanceof ResponseError) return error.message;
  if (error instanceof SyntaxError) return 'unexpected response: not a control plane';
  const { message, cause } = error as Error;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? `cannot be reached (${code})` : message;
}

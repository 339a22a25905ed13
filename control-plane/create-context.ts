import type { Context } from './context.ts';
import { tenantPricers } from './costs/tenant-pricers.ts';
import { createPolicyCheckRateLimit } from './captures/policy-check-rate-limits.ts';
import { createBatchWriter } from './device-reports/write.ts';
import { createEnrollmentRateLimit } from './enrollment/enrollment-rate-limits.ts';
import { cacheRecordingKeys } from './recording-keys/recording-key-cache.ts';
import { cacheApiKeys } from './identity/api-keys/api-key-cache.ts';
import { createDiscovery } from './identity/oidc/discovery.ts';
import { createIds } from './lib/ids.ts';
import { maskers } from './settings/masking/masker.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createGovernance } from './policies/governance.ts';
import { createNotifier } from './notifications/notifier.ts';
import { throttledRunSignals } from './recording/signal-changed-runs.ts';
import { onTraced } from './otel/receive-otlp.ts';
import { createSpanRecorder } from './otel/span-recorder.ts';
import { createRecorder } from './recording/group-recorder.ts';
import { createInvalidTokenRateLimit } from './sub-users/invalid-token-rate-limits.ts';
import { createTenantStateCache } from './tenants/tenant-states.ts';

/** The parts from which a context is created. */
type Given = Pick<
  Context,
  'config' | 'storage' | 'prices' | 'secrets' | 'shutdown' | 'log' | 'now'
>;

/** Creates the dependencies of handlers: caches, limits and writers, all for this process only. */
export function createContext(given: Given): Context {
  const { config, storage, prices, log, now } = given;
  const maskerOf = maskers(storage);
  const findTenantState = createTenantStateCache(storage);
  const ids = createIds();
  const newId = (prefix: string): string => ids(prefix, now());
  const notify = createNotifier({ now, newId });
  const onProblem = (message: string): void => log.error(message);
  const notifyOfRun = throttledRunSignals(storage.signals);
  const governance = createGovernance({ storage, maskerOf, now, newId, notify, onProblem });
  return {
    ...given,
    findKey: cacheApiKeys(storage),
    findRecordingKey: cacheRecordingKeys(storage),
    findTenantState,
    discoverProvider: createDiscovery(),
    crls: new Map(),
    packages: new Map(),
    rateLimits: {
      enrollment: createEnrollmentRateLimit(),
      policyChecks: createPolicyCheckRateLimit(),
      invalidTokens: createInvalidTokenRateLimit(),
    },
    pricerOf: tenantPricers(storage, prices),
    maskerOf,
    recorder: createRecorder(storage, findTenantState, now, notifyOfRun),
    recordSpans: createSpanRecorder(
      { storage, findTenantState },
      onTraced(notifyOfRun, governance, log),
    ),
    notify,
    takeBatch: createBatchWriter(storage, findTenantState),
    governance,
    urls: { public: config.publicUrl ?? '', device: config.deviceUrl ?? '' },
    metrics: createMetrics(),
    newId,
  };
}

import type { Logger } from 'pino';
import type { CrlCache } from './authorities/crl-cache.ts';
import type { PolicyCheckRateLimit } from './captures/policy-check-rate-limits.ts';
import type { Config } from './config.ts';
import type { LoadPrices, Pricer } from './costs/pricer.ts';
import type { PackageCache } from './deployment/package-file.ts';
import type { FindRecordingKey } from './recording-keys/recording-key-cache.ts';
import type { StoreBatch } from './device-reports/write.ts';
import type { EnrollmentRateLimit } from './enrollment/enrollment-rate-limits.ts';
import type { FindKey } from './identity/api-keys/api-key-cache.ts';
import type { DiscoverProvider } from './identity/oidc/discovery.ts';
import type { Governance } from './policies/governance.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Masker } from './settings/masking/masker.ts';
import type { RecordSpans } from './otel/span-recorder.ts';
import type { Notify } from './notification-event.ts';
import type { Recorder } from './recording/group-recorder.ts';
import type { Secrets } from './lib/derived-keys.ts';
import type { Shutdown } from './startup/shutdown.ts';
import type { Storage } from './storage/open.ts';
import type { InvalidTokenRateLimit } from './sub-users/invalid-token-rate-limits.ts';
import type { FindTenantState } from './tenants/tenant-states.ts';

/** Dependencies of handlers. Time and ids are injected, so that tests can control them. */
export interface Context {
  config: Config;
  storage: Storage;
  recorder: Recorder;
  /** Stores OpenTelemetry spans. */
  recordSpans: RecordSpans;
  /** Stores events of which people want to be notified, together with their cause. */
  notify: Notify;
  /** Stores reports of devices. */
  takeBatch: StoreBatch;
  governance: Governance;
  findKey: FindKey;
  findRecordingKey: FindRecordingKey;
  /** Returns the parent, suspension and quotas of a tenant. */
  findTenantState: FindTenantState;
  discoverProvider: DiscoverProvider;
  crls: CrlCache;
  packages: PackageCache;
  /**
   * Limits of HTTP requests, each of which counts in this process. Rate limits of runs are policies
   * (`policies/categories/rate-limit.ts`).
   */
  rateLimits: {
    enrollment: EnrollmentRateLimit;
    policyChecks: PolicyCheckRateLimit;
    invalidTokens: InvalidTokenRateLimit;
  };
  prices: LoadPrices;
  /** Returns the function that prices the LLM calls of a tenant. */
  pricerOf: (tenantId: string) => Promise<Pricer>;
  /** Returns the masker for a tenant's recorded content, which is applied before storing. */
  maskerOf: (tenantId: string) => Promise<Masker>;
  secrets: Secrets;
  shutdown: Shutdown;
  metrics: Metrics;
  log: Logger;
  now(): number;
  newId(prefix: string): string;
  /** The base URLs that clients, devices and profiles use. */
  urls: { public: string; device: string };
}

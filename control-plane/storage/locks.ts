declare const brand: unique symbol;

/** The name of a lock. Only the functions of this file create one. */
export type LockName = string & { readonly [brand]: true };

const named = (name: string): LockName => name as LockName;

// Processes of two versions may share a database during an upgrade, so a lock must keep its name:
// otherwise they would not exclude each other.
//
// A transaction takes locks of one of the following groups only. The locks of one call are taken in
// the order of their names. Locks of rows come after them, and those of totals come last. Only the
// lock of the audit log may come later.

// 1. What users and devices change. A transaction takes at most one of these locks, or the slots of
// several memories in one call, and then that of the audit log. If a new sub-tenant has an entry in its own log, that log comes before its
// parent's.

/** The quotas of all tenants: each depends on those of its ancestors and descendants. */
export const tenantQuotasLock = named('sub-tenants');

/** The users of a tenant. */
export const usersLock = (tenantId: string) => named(`users ${tenantId}`);

/** An API key that is being rotated. */
export const apiKeyLock = (id: string) => named(`API key ${id}`);

/** A computer: serializes its enrollment, renewal, approval and revocation. */
export const deviceLock = (tenantId: string, hardwareId: string) =>
  named(`device ${tenantId} ${hardwareId}`);

/** The states of a tenant's root CAs. */
export const authoritiesLock = (tenantId: string) => named(`authorities ${tenantId}`);

export const settingsLock = (tenantId: string) => named(`settings ${tenantId}`);

/** A policy that is being changed. */
export const policyLock = (tenantId: string, policyId: string) =>
  named(`policy ${tenantId} ${policyId}`);

/** A tenant's inventory rules and their incidents. */
export const inventoryLock = (tenantId: string) => named(`inventory of ${tenantId}`);

/** A tenant's notification rules and channels, and the events that become messages. */
export const notificationsLock = (tenantId: string) => named(`notifications ${tenantId}`);

/** The number of a tenant's annotation queues. */
export const annotationQueuesLock = (tenantId: string) => named(`annotation queues ${tenantId}`);

/** The items of an annotation queue: their number and their claims. */
export const annotationQueueLock = (tenantId: string, queueId: string) =>
  named(`annotation queue ${tenantId} ${queueId}`);

/** The number of a tenant's running experiments. */
export const experimentsLock = (tenantId: string) => named(`experiments ${tenantId}`);

/** A memory slot, by the identity that all writes to it share. */
export const slotLock = (tenantId: string, identity: string) =>
  named(`memory ${tenantId} ${identity}`);

/** The end of a tenant's audit log. */
export const auditLock = (tenantId: string) => named(`audit ${tenantId}`);

// 2. The policy engine. A transaction takes these locks in this order: all subjects in one call, the
// approvals one after another, and then evaluations and incidents in one call.

/** The state that a tenant's policies keep about one subject. */
export const subjectLock = (subject: { tenant_id: string; subject: string }) =>
  named(`policy subject ${subject.tenant_id} ${subject.subject}`);

/** The pending approvals for identical requests. */
export const approvalLock = (request: object) => named(`approval ${JSON.stringify(request)}`);

/** The evaluations of a run, whose counters are updated in place. */
export const evaluationsLock = (tenantId: string, runId: number) =>
  named(`evaluations ${tenantId} ${runId}`);

/** The incidents of a policy about an agent, whose counters are updated in place. */
export const incidentsLock = (tenantId: string, policyId: string, agent: string) =>
  named(`incident ${tenantId} ${policyId} ${agent}`);

// 3. Each of these locks is the only one of its transaction. Several scans are taken in one call.

/** The failed sign-ins from one network. */
export const signInLock = (network: string) => named(`sign-in ${network}`);

/** The scans of a device. */
export const scanLock = (deviceId: string) => named(`scan of ${deviceId}`);

/** The maintenance of a tenant's traces. */
export const traceMaintenanceLock = (tenantId: string) => named(`otel ${tenantId}`);

/** The counters of a tenant's coding agents. */
export const codingCounterLock = (tenantId: string) => named(`coding agents ${tenantId}`);

/** The recomputation of a tenant's costs. */
export const recomputeLock = (tenantId: string) => named(`recompute ${tenantId}`);

/** The count of earlier uses of a tenant's prompts. */
export const promptUsageLock = (tenantId: string) => named(`prompts ${tenantId}`);

/** The hourly counts of a tenant's LLM calls. */
export const callHoursLock = (tenantId: string) => named(`call hours ${tenantId}`);

/** The deletion of rows in batches, for all tenants. */
export const pendingDeletionsLock = named('pending deletions');

/** The retention of a tenant. */
export const retentionLock = (tenantId: string) => named(`retention ${tenantId}`);

/** The search index of a tenant. An indexer that finds it taken continues with another tenant. */
export const searchLock = (tenantId: string) => named(`search ${tenantId}`);

/** The names of the development migrations in a database from before the first release. */
export const developmentHistoryLock = named('development history');

declare const brand: unique symbol;

/** The name of a lock. Only the functions of this file make one. */
export type LockName = string & { readonly [brand]: true };

const named = (name: string): LockName => name as LockName;

// Processes of two versions may share a database during an upgrade: a lock keeps its name, or they
// would not exclude each other.
//
// Transactions that take several locks take them in this order; the locks of one call are taken in
// the order of their names. Locks of rows come after them, those of totals last.
//
// - changes by people and devices: one of tenantQuotas, users, apiKey, device, authorities, settings,
//   policy, inventory, notifications, annotationQueues, annotationQueue, experiments and slot; then audit. A new sub-tenant's audit log comes before its parent's.
// - the policy engine: subjects; then approvals, one after another; then evaluations and incidents
//   in one call.
//
// All others are the only lock of their transaction.

/** The quotas of all tenants: each depends on those of ancestors and descendants. */
export const tenantQuotasLock = named('sub-tenants');

/** The users of a tenant. */
export const usersLock = (tenantId: string) => named(`users ${tenantId}`);

/** The failed sign-ins from a network. */
export const signInLock = (network: string) => named(`sign-in ${network}`);

/** An API key while it is rotated. */
export const apiKeyLock = (id: string) => named(`API key ${id}`);

/** A computer: serializes its enrollment, renewal, approval and revocation. */
export const deviceLock = (tenantId: string, hardwareId: string) =>
  named(`device ${tenantId} ${hardwareId}`);

/** The states of a tenant's roots. */
export const authoritiesLock = (tenantId: string) => named(`authorities ${tenantId}`);

export const settingsLock = (tenantId: string) => named(`settings ${tenantId}`);

/** A policy while it is changed. */
export const policyLock = (tenantId: string, policyId: string) =>
  named(`policy ${tenantId} ${policyId}`);

/** The states that a tenant's policies keep about a subject. */
export const subjectLock = (subject: { tenant_id: string; subject: string }) =>
  named(`policy subject ${subject.tenant_id} ${subject.subject}`);

/** The pending approvals for one kind of request. */
export const approvalLock = (request: object) => named(`approval ${JSON.stringify(request)}`);

/** The evaluations of a run, which are counted in place. */
export const evaluationsLock = (tenantId: string, runId: number) =>
  named(`evaluations ${tenantId} ${runId}`);

/** The incidents of a policy about an agent, which are counted in place. */
export const incidentsLock = (tenantId: string, policyId: string, agent: string) =>
  named(`incident ${tenantId} ${policyId} ${agent}`);

/** A tenant's inventory rules, and what they have found. */
export const inventoryLock = (tenantId: string) => named(`inventory of ${tenantId}`);

/** How many annotation queues a tenant has. */
export const annotationQueuesLock = (tenantId: string) => named(`annotation queues ${tenantId}`);

/** How many experiments of a tenant are running. */
export const experimentsLock = (tenantId: string) => named(`experiments ${tenantId}`);

/** The items of an annotation queue: who has claimed which, and how many there are. */
export const annotationQueueLock = (tenantId: string, queueId: string) =>
  named(`annotation queue ${tenantId} ${queueId}`);

/** The scans of a device. */
export const scanLock = (deviceId: string) => named(`scan of ${deviceId}`);

/** A memory slot, by the identity that all writes to it share. */
export const slotLock = (tenantId: string, identity: string) =>
  named(`memory ${tenantId} ${identity}`);

/** The maintenance of a tenant's traces. */
export const traceMaintenanceLock = (tenantId: string) => named(`otel ${tenantId}`);

/** The counters of a tenant's coding agents. */
export const codingCounterLock = (tenantId: string) => named(`coding agents ${tenantId}`);

/** The recomputation of a tenant's costs. */
export const recomputeLock = (tenantId: string) => named(`recompute ${tenantId}`);

/** The count of earlier uses of a tenant's prompts. */
export const promptUsageLock = (tenantId: string) => named(`prompts ${tenantId}`);

/** What is counted of a tenant's LLM calls by the hour. */
export const callHoursLock = (tenantId: string) => named(`call hours ${tenantId}`);

/** The notifications of a tenant, while events become messages. */
export const notificationsLock = (tenantId: string) => named(`notifications ${tenantId}`);

/** The rows that are deleted in portions, of all tenants. */
export const pendingDeletionsLock = named('pending deletions');

/** The retention of a tenant. */
export const retentionLock = (tenantId: string) => named(`retention ${tenantId}`);

/** The search index of a tenant: the indexer only tries to take it. */
export const searchLock = (tenantId: string) => named(`search ${tenantId}`);

/** The end of a tenant's audit log. Always the last lock of a transaction. */
export const auditLock = (tenantId: string) => named(`audit ${tenantId}`);

/** The names of the migrations in a database of the time before the first release. */
export const developmentHistoryLock = named('development history');

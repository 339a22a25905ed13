/** Name of PostgreSQL's advisory lock for the index of a tenant. */
export const lockOf = (tenantId: string): string => `search ${tenantId}`;

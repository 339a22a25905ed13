/** The name of PostgreSQL's advisory lock over the index of a tenant. */
export const lockOf = (tenantId: string): string => `search ${tenantId}`;

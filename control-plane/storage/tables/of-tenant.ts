/** Every row belongs to a tenant, whose id leads every key and index. */
export interface OfTenant {
  tenant_id: string;
}

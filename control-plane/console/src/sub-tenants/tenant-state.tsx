import type { SubTenant } from '../data/sub-tenant-sources.ts';
import { State } from '../parts/badge.tsx';

export const TenantState = ({ status }: Pick<SubTenant, 'status'>) =>
  status === 'active' ? <State tone="good">Active</State> : <State tone="bad">Suspended</State>;

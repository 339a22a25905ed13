import { Trans } from '@lingui/react/macro';
import type { SubTenant } from '../data/sub-tenant-sources.ts';
import { State } from '../parts/badge.tsx';

export const TenantState = ({ status }: Pick<SubTenant, 'status'>) =>
  status === 'active' ? (
    <State tone="good">
      <Trans>Active</Trans>
    </State>
  ) : (
    <State tone="bad">
      <Trans>Suspended</Trans>
    </State>
  );

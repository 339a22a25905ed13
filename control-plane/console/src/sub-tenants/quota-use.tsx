import { t } from '@lingui/core/macro';
import { quotaFields } from '#contract/sub-tenants.ts';
import type { QuotaField } from '#contract/sub-tenants.ts';
import type { SubTenantDetail } from '../data/sub-tenant-sources.ts';
import { formatCount } from '../format.ts';
import { PercentageBar } from '../parts/percentage-bar.tsx';
import { quotaNames } from './tenant-draft.ts';

const usedOf: Record<QuotaField, keyof SubTenantDetail['usage']> = {
  max_agents: 'agents',
  max_tokens_per_day: 'tokens_today',
  max_agent_runs_per_day: 'runs_today',
};

/**
 * Today's usage of a sub-tenant and its descendants, compared with the lowest quota of the
 * sub-tenant and its ancestors.
 */
export const QuotaUse = ({ tenant: { usage, limits } }: { tenant: SubTenantDetail }) => (
  <dl className="numbers">
    {quotaFields.map((field) => {
      const [used, limit] = [usage[usedOf[field]], limits[field]];
      return (
        <div key={field} className="card">
          <dt>{quotaNames[field]}</dt>
          <dd>
            {formatCount(used)}
            <span className="count">
              {' '}
              {limit === null ? t`unlimited` : t`of ${formatCount(limit)}`}
            </span>
            {limit !== null && <PercentageBar percentage={percentageOf(used, limit)} />}
          </dd>
        </div>
      );
    })}
  </dl>
);

const percentageOf = (used: number, limit: number): number =>
  limit === 0 ? 100 : Math.min(100, (used / limit) * 100);

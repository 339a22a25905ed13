import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { policyCategories, policyDetail } from '../data/policy-sources.ts';
import type { Policy } from '../data/policy-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { State } from '../parts/badge.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { useFilters } from '../use-filters.ts';
import { EditPolicy } from './edit-policy.tsx';
import { PolicyVersions } from './policy-versions.tsx';

const tabs = [
  { id: 'policy', name: t`Policy` },
  { id: 'versions', name: t`Versions` },
] as const;

/** Page of a policy. A deleted policy keeps its versions, each of which can be restored. */
export function PolicyPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(policyDetail(id));
  const categories = useQuery(policyCategories());
  const filters = useFilters();
  const tab = filters.get('tab') === 'versions' ? 'versions' : 'policy';
  const writes = mayAdminister(user);
  return (
    <Page
      title={reading.data?.name ?? t`Policy`}
      parent={{ name: t`Policies`, to: '/policies' }}
      aside={reading.data && <PolicyAside policy={reading.data} writes={writes} />}
    >
      <Tabs
        label={t`Policy details`}
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'versions' ? tab : '' })}
      >
        {tab === 'versions' ? (
          <PolicyVersions
            id={id}
            current={reading.data?.version}
            onRestored={writes ? reading.refetch : undefined}
          />
        ) : (
          <Loaded reading={categories}>
            {(categories) => (
              <Loaded reading={reading}>
                {(policy) => (
                  <EditPolicy
                    key={policy.category}
                    {...{ policy, categories, user }}
                    onChanged={reading.refetch}
                  />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Tabs>
    </Page>
  );
}

function PolicyAside({ policy, writes }: { policy: Policy; writes: boolean }) {
  const [deleting, setDeleting] = useState(false);
  const [, navigate] = useLocation();
  const { id, name, enabled } = policy;
  return (
    <div className="button-row">
      <State tone={enabled ? 'good' : 'neutral'}>{enabled ? t`Enabled` : t`Disabled`}</State>
      {writes && (
        <button type="button" className="button danger" onClick={() => setDeleting(true)}>
          <Trans>Delete</Trans>
        </button>
      )}
      {deleting && (
        <ConfirmDialog
          title={t`Delete policy`}
          action={t`Delete policy`}
          onConfirm={async () => {
            await api.policies.deletePolicy({ params: { id }, query: {} });
            navigate('/policies');
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            <Trans>
              <strong>
                <Text>{name}</Text>
              </strong>{' '}
              will no longer be evaluated. Its versions are kept and can be restored from this page.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

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
  { id: 'policy', name: 'Policy' },
  { id: 'versions', name: 'Versions' },
] as const;

/** A deleted policy keeps its versions, each of which can be restored. */
export function PolicyPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(policyDetail(id));
  const categories = useQuery(policyCategories());
  const filters = useFilters();
  const tab = filters.get('tab') === 'versions' ? 'versions' : 'policy';
  const writes = mayAdminister(user);
  return (
    <Page
      title={reading.data?.name ?? 'Policy'}
      parent={{ name: 'Policies', to: '/policies' }}
      aside={reading.data && <PolicyAside policy={reading.data} writes={writes} />}
    >
      <Tabs
        label="Policy details"
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
      <State tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</State>
      {writes && (
        <button type="button" className="button danger" onClick={() => setDeleting(true)}>
          Delete
        </button>
      )}
      {deleting && (
        <ConfirmDialog
          title="Delete policy"
          action="Delete policy"
          onConfirm={async () => {
            await api.policies.deletePolicy({ params: { id }, query: {} });
            navigate('/policies');
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            <strong>
              <Text>{name}</Text>
            </strong>{' '}
            will no longer be evaluated. Its versions are kept and can be restored from this page.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

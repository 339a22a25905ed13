import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { policyCategories } from '../data/policy-sources.ts';
import type { PolicyCategory } from '../data/policy-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { documentOf, newDraft } from './policy-draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicyLayout } from './edit-policy.tsx';
import { PolicySaveBar } from './policy-save-bar.tsx';
import { TestPolicy } from './test-policy.tsx';
import { usePolicyForm } from './use-policy-form.ts';

export function NewPolicyPage({ user }: { user: User }) {
  const reading = useQuery(policyCategories());
  return (
    <AdminsOnly title={t`New policy`} user={user}>
      <Page title={t`New policy`} parent={{ name: t`Policies`, to: '/policies' }}>
        <Loaded reading={reading}>{(categories) => <NewPolicy categories={categories} />}</Loaded>
      </Page>
    </AdminsOnly>
  );
}

function NewPolicy({ categories }: { categories: readonly PolicyCategory[] }) {
  const [draft, setDraft] = useState(() => newDraft(categories[0]));
  const category = categories.find(({ name }) => name === draft.category);
  const { errors, busy, submit } = usePolicyForm(category);
  const [, navigate] = useLocation();
  const create = async (note: string) => {
    const body = { ...documentOf(draft, category), note };
    const created = await submit(() => api.policies.createPolicy({ body }));
    if (created) navigate(pathTo('policies', created.id));
  };
  return (
    <div className="stack">
      <PolicyLayout
        form={
          <div className="stack">
            <PolicyFields {...{ draft, categories, errors }} onEdit={setDraft} isNew />
          </div>
        }
        aside={<TestPolicy {...{ draft, category, busy, submit }} />}
      />
      <PolicySaveBar
        {...{ errors, busy }}
        action={t`Create policy`}
        onSave={(note) => void create(note)}
        onDiscard={() => navigate('/policies')}
      />
    </div>
  );
}

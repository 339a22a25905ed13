import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import { useAskBeforeLeaving } from '../guard/ask-before-leaving.ts';
import { api } from '../data/api.ts';
import type { Policy, PolicyCategory } from '../data/policy-sources.ts';
import { mayAdminister, mayWrite, type User } from '../data/session.ts';
import { documentOf, draftOfPolicy, isSameDraft, type Draft } from './policy-draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicySaveBar } from './policy-save-bar.tsx';
import { TestPolicy } from './test-policy.tsx';
import { usePolicyForm } from './use-policy-form.ts';
import './policy-layout.css';

/** Layout of the form, with the simulation beside it if there is room. */
export const PolicyLayout = ({ form, aside }: { form: ReactNode; aside: ReactNode }) => (
  <div className="policy-layout">
    {form}
    {aside}
  </div>
);

interface EditPolicyProps {
  policy: Policy;
  categories: readonly PolicyCategory[];
  user: User;
  onChanged: () => Promise<void>;
}

/** Form for an existing policy. Saving fails if the policy has changed since editing began. */
export function EditPolicy({ policy, categories, user, onChanged }: EditPolicyProps) {
  const stored = draftOfPolicy(policy, categoryIn(categories, policy.category));
  const [edited, setEdited] = useState<{ draft: Draft; version: number }>();
  const draft = edited?.draft ?? stored;
  const category = categoryIn(categories, draft.category);
  const { errors, busy, submit, clearErrors } = usePolicyForm(category);
  const isChanged = edited !== undefined && !isSameDraft(edited.draft, stored);
  useAskBeforeLeaving(isChanged);
  const edit = (draft: Draft) =>
    setEdited((previous) => ({ draft, version: previous?.version ?? policy.version }));
  const discard = () => {
    setEdited(undefined);
    clearErrors();
    void onChanged();
  };
  const save = async (note: string) => {
    const version = edited?.version ?? policy.version;
    const body = { ...documentOf(draft, category), note, version };
    const saved = await submit(() =>
      api.policies.replacePolicy({ params: { id: policy.id }, body }),
    );
    if (!saved) return;
    await onChanged();
    setEdited(undefined);
  };
  return (
    <div className="stack">
      <PolicyLayout
        form={
          // A disabled fieldset disables all fields in it.
          <fieldset className="stack" disabled={!mayAdminister(user)}>
            <legend className="hidden">
              <Trans>Policy</Trans>
            </legend>
            <PolicyFields {...{ draft, categories, errors }} onEdit={edit} />
          </fieldset>
        }
        aside={mayWrite(user) && <TestPolicy {...{ draft, category, busy, submit }} />}
      />
      {isChanged && (
        <PolicySaveBar
          {...{ errors, busy }}
          action={t`Save`}
          onSave={(note) => void save(note)}
          onDiscard={discard}
        />
      )}
    </div>
  );
}

const categoryIn = (categories: readonly PolicyCategory[], name: string) =>
  categories.find((category) => category.name === name);

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { inventoryRuleDetail } from '../data/inventory-sources.ts';
import type { InventoryRule } from '../data/inventory-sources.ts';
import { api } from '../data/api.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { actionNames } from '../parts/action-badge.tsx';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { bodyOf, draftOf, newRule } from './rule-draft.ts';
import type { RuleDraft } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import { RulePreviewSection } from './rule-preview.tsx';
import { conditionText, devicesText } from './rule-words.ts';

const BACK = '/apps?tab=rules';
const parent = { name: t`Apps`, to: BACK };

export function NewInventoryRulePage({ user }: { user: User }) {
  return (
    <AdminsOnly title={t`New rule`} user={user}>
      <Page title={t`New rule`} parent={parent}>
        <RuleForm
          first={newRule}
          action={t`Create rule`}
          onSave={async (body) => void (await api.inventoryRules.createInventoryRule({ body }))}
        />
      </Page>
    </AdminsOnly>
  );
}

export function InventoryRulePage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(inventoryRuleDetail(id));
  return (
    <Page title={reading.data?.name ?? t`Rule`} parent={parent}>
      <Loaded reading={reading}>
        {(rule) => (mayAdminister(user) ? <EditRule rule={rule} /> : <ReadRule rule={rule} />)}
      </Loaded>
    </Page>
  );
}

const ReadRule = ({ rule }: { rule: InventoryRule }) => (
  <section className="card" aria-label={t`Rule`}>
    <Facts
      facts={[
        [t`Condition`, conditionText(rule)],
        [t`Devices`, devicesText(rule)],
        [t`Action`, rule.action === 'block' ? actionNames.block : t`incident`],
        [t`Enabled`, rule.enabled ? t`yes` : t`no`],
      ]}
    />
  </section>
);

function EditRule({ rule }: { rule: InventoryRule }) {
  const [deleting, setDeleting] = useState(false);
  const [, navigate] = useLocation();
  const params = { id: rule.id };
  return (
    <>
      <p className="button-row">
        <Link to={`/incidents?source=inventory&policy=${encodeURIComponent(rule.id)}`}>
          {plural(rule.open_incidents, {
            one: '# unresolved incident',
            other: '# unresolved incidents',
          })}
        </Link>
        <button type="button" className="button danger" onClick={() => setDeleting(true)}>
          <Trans>Delete rule</Trans>
        </button>
      </p>
      <RuleForm
        first={draftOf(rule)}
        action={t`Save`}
        onSave={async (body) =>
          void (await api.inventoryRules.replaceInventoryRule({ params, body }))
        }
      />
      {deleting && (
        <ConfirmDialog
          title={t`Delete ${rule.name}?`}
          action={t`Delete rule`}
          onConfirm={async () => {
            await api.inventoryRules.deleteInventoryRule({ params });
            navigate(BACK);
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            <Trans>
              Processes blocked by this rule are unblocked immediately, and its incidents are
              resolved.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface RuleFormProps {
  first: RuleDraft;
  action: string;
  onSave: (body: ReturnType<typeof bodyOf>) => Promise<void>;
}

function RuleForm({ first, action, onSave }: RuleFormProps) {
  const [draft, setDraft] = useState(first);
  const { error, busy, attempt } = useAttempt();
  const [, navigate] = useLocation();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(() => onSave(bodyOf(draft))).then((saved) => saved && navigate(BACK));
  };
  return (
    <div className="stack">
      <RuleFields draft={draft} onEdit={setDraft} />
      <RulePreviewSection draft={draft} />
      <form className="save-bar" aria-label={t`Unsaved changes`} onSubmit={submit}>
        <span className="form-error" role="alert">
          {error}
        </span>
        <button type="button" className="button" disabled={busy} onClick={() => navigate(BACK)}>
          <Trans>Discard</Trans>
        </button>
        <button type="submit" className="button primary" disabled={busy}>
          {action}
        </button>
      </form>
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { notificationEvents } from '#contract/notifications.ts';
import { severities } from '#contract/policy-actions.ts';
import type { NotificationEventName } from '#contract/notifications.ts';
import { api } from '../data/api.ts';
import type { Channel, NotificationRule } from '../data/notification-sources.ts';
import { policyList } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import type { ControlProps } from '../parts/form-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { CheckList } from './check-list.tsx';
import { eventNames, kindNames, severityNames } from './names.ts';
import { NumberField } from './number-field.tsx';
import { QuietHoursField } from './quiet-hours-field.tsx';
import { bodyOf, newRule } from './rule-draft.ts';
import type { RuleDraft } from './rule-draft.ts';

interface RuleFormProps {
  /** Undefined for a new rule. */
  rule?: NotificationRule;
  channels: readonly Channel[];
  onSaved: () => Promise<void>;
  onClose: () => void;
}

export function RuleForm({ rule, channels, onSaved, onClose }: RuleFormProps) {
  const [draft, setDraft] = useState<RuleDraft>(() =>
    rule ? bodyOf(rule) : newRule(channels.slice(0, 1).map(({ id }) => id)),
  );
  const { error, attempt } = useAttempt();
  const set = (change: Partial<RuleDraft>) => setDraft({ ...draft, ...change });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      if (rule)
        await api.notifications.replaceNotificationRule({ params: { id: rule.id }, body: draft });
      else await api.notifications.createNotificationRule({ body: draft });
      await onSaved();
      onClose();
    });
  };
  return (
    <Dialog title={rule ? t`Edit rule` : t`Add rule`} onClose={onClose} wide>
      <form onSubmit={submit}>
        <TextField
          label={t`Name`}
          required
          maxLength={100}
          value={draft.name}
          onChange={(value) => set({ name: value })}
        />
        <div className="form-grid">
          <CheckList
            legend={t`Events`}
            options={notificationEvents.map((id) => ({ id, name: eventNames[id] }))}
            chosen={draft.events}
            onChange={(events) => set({ events })}
          />
          <CheckList
            legend={t`Channels`}
            options={channels.map(({ id, name, kind }) => ({ id, name, hint: kindNames[kind] }))}
            chosen={draft.channel_ids}
            onChange={(channel_ids) => set({ channel_ids })}
          />
        </div>
        <Conditions draft={draft} set={set} />
        <QuietHoursField
          value={draft.quiet_hours}
          onChange={(quiet_hours) => set({ quiet_hours })}
        />
        <DialogActions error={error} action={rule ? t`Save` : t`Add`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface ConditionsProps {
  draft: RuleDraft;
  set: (change: Partial<RuleDraft>) => void;
}

const isAboutPolicies = (name: NotificationEventName): boolean =>
  /^(incident|approval|budget)\./.test(name);

/** Fields for the filters that the selected events support. */
function Conditions({ draft, set }: ConditionsProps) {
  const has = (name: NotificationEventName) => draft.events.includes(name);
  return (
    <div className="form-grid">
      {has('incident.raised') && (
        <FormField label={t`Incidents from severity`}>
          {(control) => (
            <select
              className="field"
              value={draft.min_severity ?? ''}
              onChange={({ target }) =>
                set({ min_severity: severities.find((one) => one === target.value) ?? null })
              }
              {...control}
            >
              <option value="">{t`Every severity`}</option>
              {severities.map((one) => (
                <option key={one} value={one}>
                  {severityNames[one]}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
      {draft.events.some(isAboutPolicies) && (
        <>
          <PolicyField draft={draft} set={set} />
          <FormField
            label={t`Agents`}
            hint={t`Separated by commas; billing* matches a prefix. Leave empty for all.`}
          >
            {(control) => <AgentsInput draft={draft} set={set} control={control} />}
          </FormField>
        </>
      )}
      {has('budget.reached') && (
        <NumberField
          label={t`Budget used (%)`}
          min={1}
          max={100}
          value={draft.budget_percent}
          onChange={(budget_percent) => set({ budget_percent })}
        />
      )}
      {has('device.offline') && (
        <NumberField
          label={t`Offline for (minutes)`}
          min={5}
          max={20_160}
          value={draft.offline_minutes}
          onChange={(offline_minutes) => set({ offline_minutes })}
        />
      )}
      <NumberField
        label={t`Collect for (seconds)`}
        hint={t`Events with the same cause within this time become one message.`}
        min={5}
        max={86_400}
        value={draft.group_seconds}
        onChange={(group_seconds) => set({ group_seconds })}
      />
      {(has('approval.requested') || has('approval.expiring')) && (
        <label className="check form-wide">
          <input
            type="checkbox"
            checked={draft.decide_by_link}
            onChange={(event) => set({ decide_by_link: event.target.checked })}
          />
          <span>
            <Trans>Decide from a link</Trans>
            <span className="hint">
              <Trans>
                Anyone who gets the message can approve or deny, once, without signing in. If a
                policy names approvers, only their emails have the link.
              </Trans>
            </span>
          </span>
        </label>
      )}
    </div>
  );
}

function AgentsInput({ draft, set, control }: ConditionsProps & { control: ControlProps }) {
  const [text, setText] = useState(draft.agents.join(', '));
  return (
    <input
      className="field"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const agents = target.value.split(',').map((name) => name.trim());
        set({ agents: agents.filter(Boolean) });
      }}
      {...control}
    />
  );
}

function PolicyField({ draft, set }: ConditionsProps) {
  const { data } = useQuery(policyList({ limit: 100 }));
  const known = data?.results ?? [];
  const [first = ''] = draft.policy_ids;
  const others = draft.policy_ids.length - 1;
  return (
    <FormField
      label={t`Policy`}
      hint={others > 0 ? t`and ${others} more, set through the API` : undefined}
    >
      {(control) => (
        <select
          className="field"
          value={first}
          onChange={({ target }) => set({ policy_ids: target.value ? [target.value] : [] })}
          {...control}
        >
          <option value="">{t`Every policy`}</option>
          {first !== '' && !known.some(({ id }) => id === first) && (
            <option value={first}>{first}</option>
          )}
          {known.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </FormField>
  );
}

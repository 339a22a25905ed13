import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PlusIcon } from '../icons.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Switch } from '../parts/switch.tsx';
import {
  errorWithin,
  type FieldErrors,
  type NestedRuleField,
  type RuleFieldProps,
} from './field-errors.ts';
import { draftOf, entriesIn, groupDraft } from './rule-draft.ts';
import type { DraftEntry, GroupDraft, RuleDraft } from './rule-draft.ts';
import { kindOf } from './rule-schema.ts';
import type { RuleKind, RuleSchema } from './rule-schema.ts';
import { labelOf } from './rule-words.ts';
import './rule-groups.css';

export interface RuleFieldsProps extends NestedRuleField {
  path: string;
  fields: Record<string, RuleSchema>;
  draft: GroupDraft;
  errors: FieldErrors;
  onChange: (draft: GroupDraft) => void;
}

/** Fields for the rules of a category or of a group. */
export const RuleFields = ({ Field, path, fields, draft, errors, onChange }: RuleFieldsProps) => (
  <div className="form-grid">
    {Object.entries(fields).map(([name, schema]) => (
      <Field
        key={name}
        {...{ name, schema, errors }}
        path={`${path}.${name}`}
        draft={draft[name] ?? null}
        onChange={(value) => onChange({ ...draft, [name]: value })}
      />
    ))}
  </div>
);

type GroupKind = Extract<RuleKind, { kind: 'group' }>;

/** Fields for a group of rules. An optional group has a switch. */
export function GroupField(props: RuleFieldProps & NestedRuleField & { kind: GroupKind }) {
  const { Field, name, path, draft, errors, onChange, kind } = props;
  const isOn = draft !== null;
  return (
    <fieldset className="form-group">
      <legend>
        {labelOf(name)}
        {kind.optional && (
          <Switch
            label={labelOf(name)}
            on={isOn}
            onChange={(on) => onChange(on ? groupDraft(kind.fields, {}) : null)}
          />
        )}
      </legend>
      {isOn && (
        <RuleFields
          {...{ Field, path, errors, onChange }}
          fields={kind.fields}
          draft={draft as GroupDraft}
        />
      )}
      <GroupError text={errorWithin(errors, path)} />
    </fieldset>
  );
}

type EntriesKind = Extract<RuleKind, { kind: 'groups' | 'named' }>;

/** Fields for a list or map of rules. */
export function EntriesField(props: RuleFieldProps & NestedRuleField & { kind: EntriesKind }) {
  const { Field, name, path, draft, errors, onChange, kind } = props;
  const entries = entriesIn(draft);
  const change = (changed: DraftEntry) =>
    onChange({ entries: entries.map((one) => (one.key === changed.key ? changed : one)) });
  const add = () => {
    const key = Math.max(-1, ...entries.map((entry) => entry.key)) + 1;
    onChange({ entries: [...entries, { key, name: '', value: emptyOf(kind) }] });
  };
  return (
    <fieldset className="form-group">
      <legend>{labelOf(name)}</legend>
      {entries.map((entry, at) => (
        <Entry
          key={entry.key}
          {...{ Field, entry, kind, errors }}
          label={`${labelOf(name)} ${at + 1}`}
          path={kind.kind === 'named' ? `${path}.${entry.name}` : `${path}[${at}]`}
          onChange={change}
          onRemove={() => onChange({ entries: entries.filter(({ key }) => key !== entry.key) })}
        />
      ))}
      <button type="button" className="button" onClick={add}>
        <PlusIcon />
        <Trans>
          Add<span className="hidden"> to {labelOf(name)}</span>
        </Trans>
      </button>
      {kind.kind === 'named' && <GroupError text={errorWithin(errors, path)} />}
    </fieldset>
  );
}

const emptyOf = (kind: EntriesKind): RuleDraft =>
  kind.kind === 'named' ? draftOf(kind.value, undefined) : groupDraft(kind.fields, {});

interface EntryProps extends NestedRuleField {
  label: string;
  path: string;
  entry: DraftEntry;
  kind: EntriesKind;
  errors: FieldErrors;
  onChange: (entry: DraftEntry) => void;
  onRemove: () => void;
}

function Entry(props: EntryProps) {
  const { label, path, entry, kind, errors, onChange, onRemove } = props;
  return (
    <div className="form-entry" role="group" aria-label={label}>
      {kind.kind === 'named' && (
        <TextField
          label={t`Name`}
          value={entry.name}
          onChange={(value) => onChange({ ...entry, name: value })}
        />
      )}
      <EntryValue {...props} onChange={(value) => onChange({ ...entry, value })} />
      <GroupError text={errorWithin(errors, path)} />
      <button type="button" className="button danger" onClick={onRemove}>
        <Trans>
          Remove<span className="hidden"> {label}</span>
        </Trans>
      </button>
    </div>
  );
}

type EntryValueProps = Omit<EntryProps, 'onChange'> & { onChange: (value: RuleDraft) => void };

function EntryValue({ Field, path, entry, kind, errors, onChange }: EntryValueProps) {
  const fields = fieldsOf(kind);
  const common = { path, errors, onChange };
  if (fields)
    return <RuleFields {...common} {...{ Field, fields }} draft={entry.value as GroupDraft} />;
  if (kind.kind !== 'named') return null;
  return <Field {...common} name="value" schema={kind.value} draft={entry.value} />;
}

function fieldsOf(kind: EntriesKind): Record<string, RuleSchema> | undefined {
  if (kind.kind === 'groups') return kind.fields;
  const value = kindOf(kind.value);
  return value.kind === 'group' ? value.fields : undefined;
}

const GroupError = ({ text }: { text: string | undefined }) => (
  <p className="form-error" role="alert">
    {text}
  </p>
);

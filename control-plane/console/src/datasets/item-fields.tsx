import { t } from '@lingui/core/macro';
import { Choice } from '../parts/choice.tsx';
import { FormField } from '../parts/form-field.tsx';
import { ContentField } from '../prompts/content-field.tsx';
import type { ItemDraft, ItemErrors } from './item-draft.ts';
import './item-fields.css';

const kinds = [
  { id: 'variables', name: t`Variables` },
  { id: 'messages', name: t`Messages` },
] as const;

const expectedKinds = [
  { id: 'text', name: t`Text` },
  { id: 'json', name: 'JSON' },
] as const;

interface ItemFieldsProps {
  draft: ItemDraft;
  errors: ItemErrors;
  onChange: (draft: ItemDraft) => void;
}

/** Fields for the input, expected output and metadata of an item. */
export function ItemFields({ draft, errors, onChange }: ItemFieldsProps) {
  const set = (change: Partial<ItemDraft>) => onChange({ ...draft, ...change });
  return (
    <div className="item-fields">
      <Choice
        label={t`Input type`}
        options={kinds}
        value={draft.kind}
        onChange={(kind) => set({ kind })}
      />
      {draft.kind === 'variables' ? (
        <JsonField
          label={t`Input`}
          hint={t`JSON object: values for the variables of a prompt.`}
          rows={6}
          error={errors.variables}
          value={draft.variables}
          onChange={(variables) => set({ variables })}
        />
      ) : (
        <ContentField
          draft={draft.messages}
          onChange={(messages) => typeof messages !== 'string' && set({ messages })}
        />
      )}
      <JsonField
        label={t`Expected output`}
        hint={t`Leave empty if none is expected.`}
        rows={4}
        error={errors.expected}
        value={draft.expected}
        onChange={(expected) => set({ expected })}
      />
      <Choice
        label={t`Type of expected output`}
        options={expectedKinds}
        value={draft.expectedKind}
        onChange={(expectedKind) => set({ expectedKind })}
      />
      <JsonField
        label={t`Metadata`}
        hint={t`JSON object.`}
        rows={2}
        error={errors.metadata}
        value={draft.metadata}
        onChange={(metadata) => set({ metadata })}
      />
    </div>
  );
}

interface JsonFieldProps {
  label: string;
  hint: string;
  rows: number;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

const JsonField = ({ label, hint, rows, error, value, onChange }: JsonFieldProps) => (
  <FormField label={label} hint={hint} error={error}>
    {(control) => (
      <textarea
        {...control}
        className="field mono"
        rows={rows}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </FormField>
);

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { FormField } from '../parts/form-field.tsx';
import type { ConfigDraft, ConfigErrors } from './config-draft.ts';
import { formats } from './config-draft.ts';
import './config-field.css';

interface ConfigFieldProps {
  draft: ConfigDraft;
  errors: ConfigErrors;
  /** Suggested models. Others can be typed. */
  models: readonly string[];
  onChange: (draft: ConfigDraft) => void;
}

const formatNames: Record<(typeof formats)[number], string> = {
  text: t`Text`,
  json_object: t`JSON object`,
  json_schema: t`JSON by a schema`,
};

/** Form for a config: fields for common settings, and all other members as JSON. */
export function ConfigField({ draft, errors, models, onChange }: ConfigFieldProps) {
  const list = useId();
  // Settings with a value or an error must be visible.
  const [opened, setOpened] = useState(() => hasMore(draft));
  const hidesError = !opened && moreNames.some((name) => errors[name] !== undefined);
  if (hidesError) setOpened(true);
  const set = (change: Partial<ConfigDraft>) => onChange({ ...draft, ...change });
  const number = (name: 'temperature' | 'max_tokens' | 'top_p', label: string) => (
    <FormField label={label} error={errors[name]}>
      {(control) => (
        <input
          {...control}
          className="field"
          inputMode="decimal"
          autoComplete="off"
          placeholder={t`Default`}
          value={draft[name]}
          onChange={({ target }) => set({ [name]: target.value })}
        />
      )}
    </FormField>
  );
  return (
    <div className="config-field">
      <FormField label={t`Model`} error={errors.model}>
        {(control) => (
          <>
            <input
              {...control}
              className="field mono"
              list={list}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              placeholder="gpt-4o-mini"
              value={draft.model}
              onChange={({ target }) => set({ model: target.value })}
            />
            <datalist id={list}>
              {models.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
          </>
        )}
      </FormField>
      <div className="config-numbers">
        {number('temperature', t`Temperature`)}
        {number('max_tokens', t`Max tokens`)}
        {number('top_p', t`Top p`)}
      </div>
      <details
        className="config-more"
        open={opened}
        onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      >
        <summary>
          <Trans>Tools, response format and other settings</Trans>
        </summary>
        <MoreFields draft={draft} errors={errors} set={set} />
      </details>
    </div>
  );
}

const moreNames = ['tools', 'format', 'schema', 'others'] as const;
const hasMore = (draft: ConfigDraft): boolean => moreNames.some((name) => draft[name] !== '');

interface MoreFieldsProps {
  draft: ConfigDraft;
  errors: ConfigErrors;
  set: (change: Partial<ConfigDraft>) => void;
}

const MoreFields = ({ draft, errors, set }: MoreFieldsProps) => (
  <div className="config-more-fields">
    <JsonField
      label={t`Tools`}
      hint={t`JSON array. The model can request tool calls, but no tool is run.`}
      name="tools"
      {...{ draft, errors, set }}
    />
    <FormField label={t`Response format`} error={undefined}>
      {(control) => (
        <select
          {...control}
          className="field"
          value={draft.format}
          onChange={({ target }) => set({ format: target.value })}
        >
          <option value="">{t`Default`}</option>
          {formats.map((id) => (
            <option key={id} value={id}>
              {formatNames[id]}
            </option>
          ))}
        </select>
      )}
    </FormField>
    {draft.format === 'json_schema' && (
      <JsonField
        label={t`Schema`}
        hint={t`JSON object with name and schema.`}
        name="schema"
        {...{ draft, errors, set }}
      />
    )}
    <JsonField
      label={t`Other settings`}
      hint={t`JSON object, such as stop, seed or custom settings.`}
      name="others"
      {...{ draft, errors, set }}
    />
  </div>
);

interface JsonFieldProps extends MoreFieldsProps {
  label: string;
  hint: string;
  name: 'tools' | 'schema' | 'others';
}

const JsonField = ({ label, hint, name, draft, errors, set }: JsonFieldProps) => (
  <FormField label={label} hint={hint} error={errors[name]}>
    {(control) => (
      <textarea
        {...control}
        className="field mono"
        rows={draft[name] === '' ? 2 : 6}
        spellCheck={false}
        value={draft[name]}
        onChange={({ target }) => set({ [name]: target.value })}
      />
    )}
  </FormField>
);

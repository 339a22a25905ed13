import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_QUEUE_SCORES } from '#contract/annotation-queues.ts';
import { PlusIcon } from '../icons.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { typeNames } from '../scores/score-words.ts';
import { emptyConfig } from './queue-draft.ts';
import type { ConfigDraft } from './queue-draft.ts';
import './score-configs.css';

interface ScoreConfigsProps {
  configs: readonly ConfigDraft[];
  onChange: (configs: ConfigDraft[]) => void;
}

/** Fields for the scores that reviewers give, in the order shown to them. */
export const ScoreConfigs = ({ configs, onChange }: ScoreConfigsProps) => (
  <>
    {configs.map((config, at) => (
      <ScoreConfigFields
        // oxlint-disable-next-line react/no-array-index-key -- a score has no other identity while it is typed
        key={at}
        number={at + 1}
        config={config}
        onChange={(changes) => onChange(configs.with(at, { ...config, ...changes }))}
        onRemove={configs.length > 1 ? () => onChange(configs.toSpliced(at, 1)) : undefined}
      />
    ))}
    {configs.length < MAX_QUEUE_SCORES && (
      <div className="button-row">
        <button
          type="button"
          className="button"
          onClick={() => onChange([...configs, emptyConfig])}
        >
          <PlusIcon />
          <Trans>Add another score</Trans>
        </button>
      </div>
    )}
  </>
);

interface ScoreConfigFieldsProps {
  number: number;
  config: ConfigDraft;
  onChange: (changes: Partial<ConfigDraft>) => void;
  /** Undefined if this is the only score, which cannot be removed. */
  onRemove: (() => void) | undefined;
}

function ScoreConfigFields({ number, config, onChange, onRemove }: ScoreConfigFieldsProps) {
  return (
    <fieldset className="score-config">
      <legend>
        <Trans>Score {number}</Trans>
      </legend>
      <TextField
        label={t`Score name`}
        required
        maxLength={200}
        value={config.name}
        onChange={(value) => onChange({ name: value })}
      />
      <TypeField type={config.data_type} onChange={(data_type) => onChange({ data_type })} />
      <ValueFields config={config} onChange={onChange} />
      <div className="whole-row">
        <TextField
          label={t`Note for reviewers`}
          maxLength={1000}
          value={config.description}
          onChange={(value) => onChange({ description: value })}
        />
      </div>
      <label className="score-required">
        <input
          type="checkbox"
          checked={config.required}
          onChange={({ target }) => onChange({ required: target.checked })}
        />
        <Trans>Required</Trans>
      </label>
      {onRemove && (
        <button
          type="button"
          className="button"
          aria-label={t`Remove score ${number}`}
          onClick={onRemove}
        >
          <Trans>Remove</Trans>
        </button>
      )}
    </fieldset>
  );
}

type ScoreType = ConfigDraft['data_type'];

interface TypeFieldProps {
  type: ScoreType;
  onChange: (type: ScoreType) => void;
}

const TypeField = ({ type, onChange }: TypeFieldProps) => (
  <FormField label={t`Type`}>
    {(control) => (
      <select
        {...control}
        className="field"
        value={type}
        onChange={({ target }) => onChange(target.value as ScoreType)}
      >
        {Object.entries(typeNames).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    )}
  </FormField>
);

function ValueFields({ config, onChange }: Pick<ScoreConfigFieldsProps, 'config' | 'onChange'>) {
  if (config.data_type === 'boolean') return null;
  if (config.data_type === 'categorical')
    return (
      <div className="whole-row">
        <FormField label={t`Categories`} hint={t`One in each line.`}>
          {(control) => (
            <textarea
              {...control}
              className="field"
              required
              rows={3}
              value={config.values}
              onChange={({ target }) => onChange({ values: target.value })}
            />
          )}
        </FormField>
      </div>
    );
  return (['min', 'max'] as const).map((bound) => (
    <FormField key={bound} label={bound === 'min' ? t`Minimum` : t`Maximum`}>
      {(control) => (
        <input
          {...control}
          className="field"
          type="number"
          step="any"
          placeholder={t`No limit`}
          value={config[bound]}
          onChange={({ target }) => onChange({ [bound]: target.value })}
        />
      )}
    </FormField>
  ));
}

import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import type { KeyboardEvent } from 'react';
import type { ScoreConfig } from '../data/annotation-queue-sources.ts';
import { Text } from '../parts/text.tsx';
import { boundsText, optionsOf } from './review-draft.ts';
import type { Option } from './review-draft.ts';

interface ScoreFieldProps {
  config: ScoreConfig;
  /** Index of the score in the form. */
  at: number;
  /** The `name` attribute of the radio buttons. */
  group: string;
  /** An empty string if no score is given. */
  value: string;
  onChange: (value: string) => void;
  onEnter: (event: KeyboardEvent) => void;
}

/** One score of a queue: radio buttons for its possible values, or a number field. */
export function ScoreField({ config, at, group, value, onChange, onEnter }: ScoreFieldProps) {
  const options = optionsOf(config);
  const hint = useId();
  const describedBy = config.description ? { 'aria-describedby': hint } : {};
  const note = config.description ? (
    <p id={hint} className="hint whole">
      <Text>{config.description}</Text>
    </p>
  ) : null;
  if (options)
    return (
      <fieldset className="score-field" data-score={at} {...describedBy}>
        <legend>
          <ScoreName config={config} />
        </legend>
        {note}
        <Options options={options} required={isRequired(config)} {...{ group, value, onChange }} />
      </fieldset>
    );
  return (
    <div className="score-field" data-score={at}>
      <label htmlFor={group}>
        <ScoreName config={config} />
      </label>
      {note}
      <NumberField {...{ config, value, onChange, onEnter }} id={group} describedBy={describedBy} />
    </div>
  );
}

const isRequired = ({ required = true }: ScoreConfig): boolean => required;

function ScoreName({ config }: { config: ScoreConfig }) {
  const bounds = boundsText(config);
  return (
    <>
      <Text>{config.name}</Text>
      {bounds !== undefined && <span className="muted"> {bounds}</span>}
      {!isRequired(config) && (
        <span className="muted">
          {' '}
          <Trans>(optional)</Trans>
        </span>
      )}
    </>
  );
}

interface OptionsProps {
  options: readonly Option[];
  required: boolean;
  group: string;
  value: string;
  onChange: (value: string) => void;
}

/** Only the first nine values have a digit as their shortcut. */
const KEYS = 9;

const Options = ({ options, required, group, value, onChange }: OptionsProps) => (
  <div className="score-options">
    {options.map((option, index) => (
      <label key={option.value}>
        <input
          type="radio"
          name={group}
          required={required}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
        <span className="score-option">
          <Text>{option.name}</Text>
        </span>
        {index < KEYS && <kbd aria-hidden="true">{index + 1}</kbd>}
      </label>
    ))}
    {!required && value !== '' && (
      <button type="button" className="link" onClick={() => onChange('')}>
        <Trans>Clear</Trans>
      </button>
    )}
  </div>
);

interface NumberFieldProps {
  config: ScoreConfig;
  id: string;
  value: string;
  describedBy: { 'aria-describedby'?: string };
  onChange: (value: string) => void;
  onEnter: (event: KeyboardEvent) => void;
}

function NumberField({ config, id, value, describedBy, onChange, onEnter }: NumberFieldProps) {
  const { min, max } = config.data_type === 'numeric' ? config : {};
  return (
    <input
      id={id}
      {...describedBy}
      className="field"
      type="number"
      step="any"
      min={min ?? undefined}
      max={max ?? undefined}
      required={isRequired(config)}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onEnter}
    />
  );
}

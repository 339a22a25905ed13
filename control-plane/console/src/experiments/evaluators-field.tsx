import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { MAX_EVALUATORS } from '#contract/evaluators.ts';
import { PlusIcon } from '../icons.tsx';
import { Choice } from '../parts/choice.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { evaluatorTypes, newEvaluator, typeNames, withType } from './evaluator-draft.ts';
import type { EvaluatorDraft } from './evaluator-draft.ts';
import './evaluators-field.css';

interface EvaluatorsFieldProps {
  drafts: readonly EvaluatorDraft[];
  onChange: (drafts: EvaluatorDraft[]) => void;
}

/** Fields for the evaluators of an experiment. */
export const EvaluatorsField = ({ drafts, onChange }: EvaluatorsFieldProps) => (
  <fieldset className="evaluators">
    <legend>
      <Trans>Evaluators</Trans>
    </legend>
    {drafts.map((draft, at) => (
      <EvaluatorField
        key={draft.key}
        number={at + 1}
        draft={draft}
        others={drafts.filter(({ key }) => key !== draft.key)}
        onChange={(changed) => onChange(drafts.with(at, changed))}
        onRemove={() => onChange(drafts.toSpliced(at, 1))}
      />
    ))}
    {drafts.length < MAX_EVALUATORS && (
      <button
        type="button"
        className="button"
        onClick={() => onChange([...drafts, newEvaluator(drafts)])}
      >
        <PlusIcon />
        <Trans>Add evaluator</Trans>
      </button>
    )}
  </fieldset>
);

interface EvaluatorFieldProps {
  number: number;
  draft: EvaluatorDraft;
  others: readonly EvaluatorDraft[];
  onChange: (draft: EvaluatorDraft) => void;
  onRemove: () => void;
}

function EvaluatorField(props: EvaluatorFieldProps) {
  const { number, draft, others, onChange, onRemove } = props;
  return (
    <div className="evaluator" role="group" aria-label={t`Evaluator ${number}`}>
      <div className="form-grid">
        <FormField label={t`Type`}>
          {(control) => (
            <select
              {...control}
              className="field"
              value={draft.type}
              onChange={({ target }) => {
                const type = evaluatorTypes.find((one) => one === target.value);
                if (type) onChange(withType(draft, type, others));
              }}
            >
              {evaluatorTypes.map((type) => (
                <option key={type} value={type}>
                  {typeNames[type]}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <TextField
          label={t`Name`}
          required
          maxLength={100}
          value={draft.name}
          onChange={(value) => onChange({ ...draft, name: value })}
        />
      </div>
      <FieldsOfType {...props} />
      <button
        type="button"
        className="link"
        aria-label={t`Remove evaluator ${number}`}
        onClick={onRemove}
      >
        <Trans>Remove</Trans>
      </button>
    </div>
  );
}

function FieldsOfType(props: EvaluatorFieldProps) {
  const { draft, onChange } = props;
  const ignoreCase = (
    <label className="evaluator-case">
      <input
        type="checkbox"
        checked={draft.ignoreCase}
        onChange={({ target }) => onChange({ ...draft, ignoreCase: target.checked })}
      />
      <Trans>Ignore case</Trans>
    </label>
  );
  switch (draft.type) {
    case 'exact_match':
      return ignoreCase;
    case 'contains':
      return (
        <>
          <CodeField
            label={t`Text`}
            hint={t`Leave empty to use the expected output.`}
            maxLength={10_000}
            value={draft.text}
            onChange={(text) => onChange({ ...draft, text })}
          />
          {ignoreCase}
        </>
      );
    case 'regex':
      return (
        <CodeField
          label={t`Pattern`}
          hint={t`RE2 syntax; it may match anywhere in the output.`}
          maxLength={500}
          required
          value={draft.pattern}
          onChange={(pattern) => onChange({ ...draft, pattern })}
        />
      );
    case 'json_equal':
      return null;
    case 'json_schema':
      return <SchemaField {...props} />;
    case 'llm_judge':
      return <JudgeFields {...props} />;
  }
}

const SchemaField = ({ draft, onChange }: EvaluatorFieldProps) => (
  <FormField
    label={t`Schema`}
    hint={t`JSON Schema, draft 2020-12. The output has to be JSON that is valid against it.`}
  >
    {(control) => (
      <textarea
        {...control}
        className="field mono"
        rows={8}
        required
        spellCheck={false}
        value={draft.schema}
        onChange={({ target }) => onChange({ ...draft, schema: target.value })}
      />
    )}
  </FormField>
);

const scales = [
  { id: 'score', name: t`Number from 0 to 1` },
  { id: 'pass_fail', name: t`Pass or fail` },
] as const;

/** The variables in a judge's prompt. */
const [INPUT, OUTPUT, EXPECTED] = ['{{input}}', '{{output}}', '{{expected}}'];

function JudgeFields({ draft, onChange }: EvaluatorFieldProps) {
  return (
    <>
      <FormField
        label={t`Prompt`}
        hint={t`${INPUT}, ${OUTPUT} and ${EXPECTED} are filled in. The answer format is requested separately.`}
      >
        {(control) => (
          <textarea
            {...control}
            className="field mono"
            rows={6}
            required
            maxLength={100_000}
            value={draft.prompt}
            onChange={({ target }) => onChange({ ...draft, prompt: target.value })}
          />
        )}
      </FormField>
      <CodeField
        label={t`Model of the judge`}
        maxLength={200}
        required
        value={draft.model}
        onChange={(model) => onChange({ ...draft, model })}
      />
      <Choice
        label={t`Scale`}
        options={scales}
        value={draft.scale}
        onChange={(scale) => onChange({ ...draft, scale })}
      />
    </>
  );
}

const CodeField = (props: ComponentProps<typeof TextField>) => (
  <TextField className="field mono" spellCheck={false} {...props} />
);

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Masking } from '../data/settings-sources.ts';
import { PlusIcon } from '../icons.tsx';
import { Section } from '../parts/section.tsx';

interface OwnRulesProps {
  masking: Masking;
  onEdit: (changes: Partial<Masking>) => void;
}

/** Form for the tenant's own keys and patterns. */
export const OwnRules = ({ masking: { keys, patterns }, onEdit }: OwnRulesProps) => (
  <>
    <Section title={t`Keys`}>
      <RuleRows
        about={t`Masks the whole value of a member, for example password or customer.*.`}
        name={t`Key`}
        placeholderName={(number) => t`Placeholder of key ${number}`}
        removeName={(number) => t`Remove key ${number}`}
        addName={t`Add key`}
        examples={['customer.email', 'CUSTOMER']}
        rules={keys.map(({ key, type }) => [key, type])}
        onChange={(rules) => onEdit({ keys: rules.map(([key, type]) => ({ key, type })) })}
      />
    </Section>
    <Section title={t`Patterns`}>
      <RuleRows
        about={t`Masks what a regular expression in RE2 syntax matches.`}
        name={t`Pattern`}
        placeholderName={(number) => t`Placeholder of pattern ${number}`}
        removeName={(number) => t`Remove pattern ${number}`}
        addName={t`Add pattern`}
        examples={['\\bEMP-\\d{6}\\b', 'EMPLOYEE_ID']}
        rules={patterns.map(({ name, pattern }) => [pattern, name])}
        onChange={(rules) =>
          onEdit({ patterns: rules.map(([pattern, name]) => ({ name, pattern })) })
        }
      />
    </Section>
  </>
);

type Rule = [text: string, type: string];

interface RuleRowsProps {
  about: string;
  /** Name of the first field of a row, to which its number is appended. */
  name: string;
  placeholderName: (number: number) => string;
  removeName: (number: number) => string;
  addName: string;
  examples: Rule;
  rules: Rule[];
  onChange: (rules: Rule[]) => void;
}

function RuleRows(props: RuleRowsProps) {
  const { about, name, examples, rules, onChange } = props;
  const put = (at: number, rule: Rule) => onChange(rules.with(at, rule));
  return (
    <div className="card">
      <p className="muted card-note">{about}</p>
      <div className="rule-rows">
        {rules.map(([text, type], at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a row has no other identity while it is typed
          <div key={at} className="rule-row">
            <input
              className="field mono"
              aria-label={t`${name} ${at + 1}`}
              placeholder={examples[0]}
              value={text}
              onChange={({ target }) => put(at, [target.value, type])}
            />
            <input
              className="field mono"
              aria-label={props.placeholderName(at + 1)}
              placeholder={examples[1]}
              value={type}
              onChange={({ target }) => put(at, [text, target.value.toUpperCase()])}
            />
            <button
              type="button"
              className="button"
              aria-label={props.removeName(at + 1)}
              onClick={() => onChange(rules.toSpliced(at, 1))}
            >
              <Trans>Remove</Trans>
            </button>
          </div>
        ))}
      </div>
      <button type="button" className="button" onClick={() => onChange([...rules, ['', '']])}>
        <PlusIcon />
        {props.addName}
      </button>
    </div>
  );
}

import type { Masking } from '../data/settings-sources.ts';
import { PlusIcon } from '../icons.tsx';
import { Section } from '../parts/section.tsx';

interface OwnRulesProps {
  masking: Masking;
  onEdit: (changes: Partial<Masking>) => void;
}

/** The tenant's own keys and patterns. */
export const OwnRules = ({ masking: { keys, patterns }, onEdit }: OwnRulesProps) => (
  <>
    <Section title="Keys">
      <RuleRows
        about="Masks the whole value of a member, for example password or customer.*."
        what="key"
        names={['Key', 'Placeholder']}
        examples={['customer.email', 'CUSTOMER']}
        rules={keys.map(({ key, type }) => [key, type])}
        onChange={(rules) => onEdit({ keys: rules.map(([key, type]) => ({ key, type })) })}
      />
    </Section>
    <Section title="Patterns">
      <RuleRows
        about="Masks what a regular expression in RE2 syntax matches."
        what="pattern"
        names={['Pattern', 'Placeholder']}
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
  what: string;
  names: Rule;
  examples: Rule;
  rules: Rule[];
  onChange: (rules: Rule[]) => void;
}

function RuleRows({ about, what, names, examples, rules, onChange }: RuleRowsProps) {
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
              aria-label={`${names[0]} ${at + 1}`}
              placeholder={examples[0]}
              value={text}
              onChange={({ target }) => put(at, [target.value, type])}
            />
            <input
              className="field mono"
              aria-label={`${names[1]} of ${what} ${at + 1}`}
              placeholder={examples[1]}
              value={type}
              onChange={({ target }) => put(at, [text, target.value.toUpperCase()])}
            />
            <button
              type="button"
              className="button"
              aria-label={`Remove ${what} ${at + 1}`}
              onClick={() => onChange(rules.toSpliced(at, 1))}
            >
              Remove
            </button>
          </div>
        ))}
      </div>
      <button type="button" className="button" onClick={() => onChange([...rules, ['', '']])}>
        <PlusIcon />
        Add {what}
      </button>
    </div>
  );
}

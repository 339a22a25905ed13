import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { promptVersion } from '../data/prompt-sources.ts';
import type { Prompt } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import type { Filters } from '../use-filters.ts';
import { markInvisible } from '../mark-invisible.ts';
import { PromptDiff } from './prompt-diff.tsx';
import './compare-versions.css';

/** Compares two versions: those in the URL, otherwise the last two. */
export function CompareVersions({ prompt, filters }: { prompt: Prompt; filters: Filters }) {
  const numbers = prompt.versions.map(({ version }) => version);
  const chosen = (name: string) => numbers.find((one) => String(one) === filters.get(name));
  const to = chosen('to') ?? prompt.latest_version;
  const from = chosen('from') ?? Math.max(1, to - 1);
  if (numbers.length < 2)
    return <Empty title={t`There is only one version: nothing to compare yet`} />;
  return (
    <section className="compare-versions" aria-label={t`Comparison`}>
      <h2 className="hidden">
        <Trans>Comparison</Trans>
      </h2>
      <div className="toolbar">
        <VersionChoice
          label={t`From`}
          prompt={prompt}
          value={from}
          onChange={(from) => filters.set({ from })}
        />
        <button
          type="button"
          className="button"
          aria-label={t`Swap the versions`}
          title={t`Swap`}
          onClick={() => filters.set({ from: String(to), to: String(from) })}
        >
          ⇄
        </button>
        <VersionChoice
          label={t`To`}
          prompt={prompt}
          value={to}
          onChange={(to) => filters.set({ to })}
        />
      </div>
      <Comparison key={`${from} ${to}`} {...{ prompt, from, to }} />
    </section>
  );
}

interface VersionChoiceProps {
  label: string;
  prompt: Prompt;
  value: number;
  onChange: (version: string) => void;
}

const VersionChoice = ({ label, prompt, value, onChange }: VersionChoiceProps) => (
  <label className="version-choice">
    {label}
    <select className="field" value={value} onChange={({ target }) => onChange(target.value)}>
      {prompt.versions.map(({ version, labels }) => (
        <option key={version} value={version}>
          {markInvisible(`v${version}${labels.length > 0 ? ` (${labels.join(', ')})` : ''}`).slice(
            0,
            80,
          )}
        </option>
      ))}
    </select>
  </label>
);

interface ComparisonProps {
  prompt: Prompt;
  from: number;
  to: number;
}

function Comparison({ prompt, from, to }: ComparisonProps) {
  const before = useQuery(promptVersion(prompt.id, from));
  const after = useQuery(promptVersion(prompt.id, to));
  return (
    <Loaded reading={before}>
      {(before) => (
        <Loaded reading={after}>{(after) => <PromptDiff before={before} after={after} />}</Loaded>
      )}
    </Loaded>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type CodingAgentLevel, codingAgentLevels } from '#contract/guard.ts';
import { codingAgentTexts } from './setting-text.ts';
import { effectiveOf } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import type { SettingProps } from './setting.ts';

/** Explains in one sentence what is recorded at each level. */
const explanations: Record<CodingAgentLevel, string> = {
  off: t`The agent does not change the settings of coding agents.`,
  metadata: t`Models, tokens, costs, durations, names of tools and errors. No texts.`,
  prompts: t`Metadata, and the texts of prompts and answers, masked when they are stored.`,
  tools: t`Prompts, and the input and output of tools: commands, paths, contents of files.`,
};

/** Setting for the content that coding agents report. The agent writes it to their settings. */
export function CodingAgentsSetting({ draft, inherited, editable, onEdit, onClear }: SettingProps) {
  const { coding_agents: level } = effectiveOf(draft, inherited);
  return (
    <div className="capture-setting coding-agents-setting">
      <select
        className="field"
        aria-label={t`Coding agents`}
        value={level}
        disabled={!editable}
        onChange={(event) =>
          onEdit({ ...draft, coding_agents: event.target.value as CodingAgentLevel })
        }
      >
        {codingAgentLevels.map((one) => (
          <option key={one} value={one}>
            {codingAgentTexts[one]}
          </option>
        ))}
      </select>
      <div>
        <h3>
          {level === 'off' ? t`Coding agents report nothing` : t`Coding agents report their work`}
        </h3>
        <Origin
          what={t`Coding agents`}
          setHere={draft.coding_agents !== undefined}
          inherited={sourceText(inherited.sources.coding_agents)}
          {...{ editable, onClear }}
        />
        <p className="muted">
          <Trans>{explanations[level]} Nothing is decrypted.</Trans>
        </p>
      </div>
    </div>
  );
}

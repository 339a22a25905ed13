import { t } from '@lingui/core/macro';
import { type ToolCheckMode, toolCheckModes } from '#contract/guard.ts';
import { effectiveOf } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import type { SettingProps } from './setting.ts';
import { toolCheckTexts } from './setting-text.ts';

/** Explains what happens to tool calls, in one or two sentences. */
const explanations: Record<ToolCheckMode, string> = {
  off: t`Coding agents call their tools without asking.`,
  open: t`Devices decide by the policies they have. What only the control plane can decide is allowed while it cannot be reached.`,
  closed: t`Devices decide by the policies they have. What only the control plane can decide is refused while it cannot be reached.`,
};

/**
 * Setting: whether coding agents ask before they call a tool. The agent writes the hooks for this.
 */
export function ToolChecksSetting({ draft, inherited, editable, onEdit, onClear }: SettingProps) {
  const { tool_checks: mode } = effectiveOf(draft, inherited);
  return (
    <div className="capture-setting coding-agents-setting">
      <select
        className="field"
        aria-label={t`Tool calls of coding agents`}
        value={mode}
        disabled={!editable}
        onChange={(event) => onEdit({ ...draft, tool_checks: event.target.value as ToolCheckMode })}
      >
        {toolCheckModes.map((one) => (
          <option key={one} value={one}>
            {toolCheckTexts[one]}
          </option>
        ))}
      </select>
      <div>
        <h3>
          {mode === 'off'
            ? t`Tool calls are not checked`
            : t`Tool calls are checked against policies`}
        </h3>
        <Origin
          what={t`Tool calls of coding agents`}
          setHere={draft.tool_checks !== undefined}
          inherited={sourceText(inherited.sources.tool_checks)}
          {...{ editable, onClear }}
        />
        <p className="muted">{explanations[mode]}</p>
      </div>
    </div>
  );
}

import { plural, t } from '@lingui/core/macro';
import type { CodingAgentLevel, HookFailMode, ToolCheckMode } from '#contract/guard.ts';

/** The options for how long users may pause capture, such as `Up to 30 minutes`. */
export const pauseText = (minutes: number): string =>
  minutes === 0
    ? t`Not allowed`
    : plural(minutes, { one: 'Up to # minute', other: 'Up to # minutes' });

/** Describes the same setting as an entry in a list of changes. */
export function pausesText(minutes: number | undefined): string {
  if (minutes === undefined) return t`pauses inherited`;
  if (minutes === 0) return t`pauses not allowed`;
  return plural(minutes, { one: 'pauses up to # minute', other: 'pauses up to # minutes' });
}

/** The options for the reports of coding agents, by level. */
export const codingAgentTexts: Record<CodingAgentLevel, string> = {
  off: t`Not recorded`,
  metadata: t`Metadata only`,
  prompts: t`With prompts and answers`,
  tools: t`With prompts and tool content`,
};

const reportTexts: Record<CodingAgentLevel, string> = {
  off: t`coding agents not recorded`,
  metadata: t`coding agents metadata only`,
  prompts: t`coding agents with prompts and answers`,
  tools: t`coding agents with prompts and tool content`,
};

/** Describes the same setting as an entry in a list of changes. */
export const codingAgentsText = (level: CodingAgentLevel | undefined): string =>
  level === undefined ? t`coding agents inherited` : reportTexts[level];

/** The options for the checks of tool calls, by mode. */
export const toolCheckTexts: Record<ToolCheckMode, string> = {
  off: t`Not checked`,
  open: t`Checked, allowed while offline`,
  closed: t`Checked, refused while offline`,
};

/** The options for the hooks in a profile, by their answer while no agent runs. */
export const hookTexts: Record<HookFailMode, string> = {
  open: t`Ask the agent; allowed while it does not run`,
  closed: t`Ask the agent; refused while it does not run`,
};

const checkTexts: Record<ToolCheckMode, string> = {
  off: t`tool calls not checked`,
  open: t`tool calls checked, allowed while offline`,
  closed: t`tool calls checked, refused while offline`,
};

/** Describes the same setting as an entry in a list of changes. */
export const toolChecksText = (mode: ToolCheckMode | undefined): string =>
  mode === undefined ? t`tool calls inherited` : checkTexts[mode];

import type { CodingAgentLevel, ToolCheckMode } from '#contract/guard.ts';
import { formatMany } from '../format.ts';

/** How long users may pause capture, such as `up to 30 minutes`. */
export function pauseText(minutes: number | undefined): string {
  if (minutes === undefined) return 'inherited';
  return minutes === 0 ? 'not allowed' : `up to ${formatMany(minutes, 'minute')}`;
}

/** What coding agents report at each level, as it is chosen. */
export const codingAgentTexts: Record<CodingAgentLevel, string> = {
  off: 'Not recorded',
  metadata: 'Metadata only',
  prompts: 'With prompts and answers',
  tools: 'With prompts and tool content',
};

export const codingAgentsText = (level: CodingAgentLevel | undefined): string =>
  level === undefined ? 'inherited' : codingAgentTexts[level].toLowerCase();

/** How tool calls are checked, as it is chosen. */
export const toolCheckTexts: Record<ToolCheckMode, string> = {
  off: 'Not checked',
  open: 'Checked, allowed while offline',
  closed: 'Checked, refused while offline',
};

export const toolChecksText = (mode: ToolCheckMode | undefined): string =>
  mode === undefined ? 'inherited' : toolCheckTexts[mode].toLowerCase();

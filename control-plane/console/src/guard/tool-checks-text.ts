import type { ToolCheckMode } from '#contract/guard.ts';

/** How tool calls are checked, as it is chosen. */
export const toolCheckTexts: Record<ToolCheckMode, string> = {
  off: 'Not checked',
  open: 'Checked, allowed while offline',
  closed: 'Checked, refused while offline',
};

export const toolChecksText = (mode: ToolCheckMode | undefined): string =>
  mode === undefined ? 'inherited' : toolCheckTexts[mode].toLowerCase();

import type { CodingAgentLevel } from '#contract/guard.ts';

/** What coding agents report at each level, as it is chosen. */
export const codingAgentTexts: Record<CodingAgentLevel, string> = {
  off: 'Not recorded',
  metadata: 'Metadata only',
  prompts: 'With prompts and answers',
  tools: 'With prompts and tool content',
};

export const codingAgentsText = (level: CodingAgentLevel | undefined): string =>
  level === undefined ? 'inherited' : codingAgentTexts[level].toLowerCase();

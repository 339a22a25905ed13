import { agentCompanions } from './agent-companions.ts';
import { codingAgents } from './coding-agents.ts';
import type { CommandLineTool } from './entry.ts';
import { terminalAssistants } from './terminal-assistants.ts';

/** Agents and assistants of the terminal. */
export const commandLineTools: readonly CommandLineTool[] = [
  ...codingAgents,
  ...terminalAssistants,
  ...agentCompanions,
];

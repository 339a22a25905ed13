import { agentCompanions } from './agent-companions.ts';
import { agentUtilities } from './agent-utilities.ts';
import { codingAgents } from './coding-agents.ts';
import type { CommandLineTool } from './entry.ts';
import { mcpTools } from './mcp-tools.ts';
import { modelPrograms } from './model-programs.ts';
import { moreAgents } from './more-agents.ts';
import { packagedTools } from './packaged-tools.ts';
import { terminalAssistants } from './terminal-assistants.ts';
import { vendorAgents } from './vendor-agents.ts';

/** Terminal agents and assistants, their companion tools, and programs that run models. */
export const commandLineTools: readonly CommandLineTool[] = [
  ...vendorAgents,
  ...codingAgents,
  ...moreAgents,
  ...terminalAssistants,
  ...agentCompanions,
  ...agentUtilities,
  ...mcpTools,
  ...modelPrograms,
  ...packagedTools,
];

import { instructionFiles } from './instruction-files.ts';
import type { AgentFile } from './loaded-entry.ts';
import { skillFolders } from './skills.ts';
import { slashCommands } from './slash-commands.ts';
import { subAgentFiles } from './sub-agents.ts';

/** Texts that agents read, by the tool that reads them. */
export const agentFiles: readonly AgentFile[] = [
  ...instructionFiles,
  ...skillFolders,
  ...slashCommands,
  ...subAgentFiles,
];

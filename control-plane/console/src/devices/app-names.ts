import { t } from '@lingui/core/macro';
import type { AppKind } from '../data/inventory-sources.ts';

export const kindNames: Record<AppKind, string> = {
  desktop_app: t`Desktop app`,
  cli: t`Command line`,
  editor_extension: t`Editor extension`,
  mcp_server: t`MCP server`,
  local_model_server: t`Local model server`,
  browser_extension: t`Browser extension`,
  built_in_feature: t`Built-in feature`,
  plugin: t`Agent plugin`,
  instruction_file: t`Instruction file`,
  skill: t`Skill`,
  hook: t`Hook`,
  sub_agent: t`Sub-agent`,
  local_model: t`Local model`,
};

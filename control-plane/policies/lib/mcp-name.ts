import { parseMcpName, parseToolName, type ToolName } from '#domain/tool-policies/tool-name.ts';
import { memoize } from '../../lib/memoize.ts';
import type { Situation } from '../category.ts';
import { z } from 'zod';

/**
 * Returns the tools of a check, or of telemetry just recorded. The result is cached, because many
 * policies use it.
 */
export const toolsOf = memoize(findTools);

function findTools({ phase, agent, workflow, intent, tools }: Situation): ToolName[] {
  if (phase !== 'before_workflow')
    return tools.map(({ name, server }) => parseMcpName(name) ?? { tool: name, server });
  return [
    ...[agent, workflow].flatMap((name) => parseMcpName(name) ?? []),
    ...intent.tools.map(parseToolName),
    ...intent.mcpServers.map((server) => ({ tool: null, server })),
  ];
}

/** Returns the names of these tools. */
export const toolNamesOf = memoize(
  (situation: Situation): ReadonlySet<string> =>
    new Set(toolsOf(situation).flatMap(({ tool }) => tool ?? [])),
);

/** A list of exact names, or of prefixes followed by `*`. */
export const nameList = z
  .array(
    z
      .string()
      .max(200)
      .regex(/^(?:\*|[^*]+\*?)$/, 'expected a name, with * at its end only'),
  )
  .max(1000)
  .default([]);

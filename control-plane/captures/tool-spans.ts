import type { ToolCall } from '#agent/core/capture/providers/exchange.ts';
import { storable } from '../otel/attributes.ts';

/** The maximum number of spans per recording request. */
const MAX_SPANS = 1000;

/** The tool calls of a response, as spans to record. */
export const toolSpans = (tools: readonly ToolCall[]) =>
  tools.slice(0, MAX_SPANS).map((tool, position) => ({
    name: storable(tool.name.slice(0, 200)) || 'tool',
    kind: 'tool' as const,
    status: 'ok' as const,
    position,
    attributes: tool.id === null ? null : { tool_call_id: tool.id },
    input_data: argumentsOf(tool),
  }));

function argumentsOf({ arguments: text }: ToolCall): Record<string, unknown> | null {
  if (text === null) return null;
  const value = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

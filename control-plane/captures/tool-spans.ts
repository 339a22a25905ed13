import type { ToolCall } from '#domain/providers/exchange.ts';
import { storable } from '../otel/attributes.ts';

/** The maximum number of spans, and of tools of a call, per recording request. */
const MAX_TOOLS = 1000;

interface RequestedTool {
  id: string | null;
  name: string;
  /** Any JSON. Text that is not JSON stays text. Undefined if there are no arguments. */
  arguments: unknown;
}

/** Returns the tools requested by a response, as fields of its call. */
export const requestedTools = (tools: readonly ToolCall[]): RequestedTool[] =>
  tools.slice(0, MAX_TOOLS).map((tool) => ({
    id: tool.id,
    name: storable(tool.name.slice(0, 200)) || 'tool',
    arguments: tool.arguments === null ? undefined : parsed(tool.arguments),
  }));

/** Returns the same tools as spans below the span of their call. */
export const toolSpans = (tools: readonly RequestedTool[], callSpanId: string) =>
  tools.map(({ id, name, arguments: value }, position) => ({
    name,
    kind: 'tool' as const,
    status: 'ok' as const,
    position,
    attributes: id === null ? null : { tool_call_id: id },
    input_data: value === undefined ? null : isObject(value) ? value : { value },
    span_id: null,
    parent_span_id: callSpanId,
  }));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

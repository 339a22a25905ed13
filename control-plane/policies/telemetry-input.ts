import type { ObservedCall, ObservedTool } from './category.ts';

/** The fields of recorded calls and spans that policies evaluate. */
export interface EvaluatedTelemetry {
  calls?: readonly EvaluatedCall[];
  spans?: readonly EvaluatedSpan[];
}

interface EvaluatedCall {
  model: string;
  tokens_in: number;
  tokens_out: number;
  cost: number;
  prompt_preview?: string | null;
  response_preview?: string | null;
}

interface EvaluatedSpan {
  kind: string;
  name: string;
  /** JSON, as stored. */
  input_data?: string | null;
  output_data?: string | null;
  attributes?: string | null;
}

/** Converts recorded calls to policy input. */
export const observedCalls = (calls: readonly EvaluatedCall[]): ObservedCall[] =>
  calls.map((call) => ({
    model: call.model,
    tokensIn: call.tokens_in,
    tokensOut: call.tokens_out,
    cost: call.cost,
    prompt: call.prompt_preview ?? '',
    response: call.response_preview ?? '',
  }));

/** Converts recorded tool spans to policy input. Clients name an MCP tool `mcp:<server>:<tool>`. */
export const observedTools = (spans: readonly EvaluatedSpan[]): ObservedTool[] =>
  spans
    .filter(({ kind }) => kind === 'tool')
    .map(({ name, input_data, output_data, attributes }) => {
      const recorded = parsed(attributes) as { mcp_server?: unknown } | null;
      const [, named, tool] = /^mcp:([^:]+):(.+)$/.exec(name) ?? [];
      const server =
        named ?? (typeof recorded?.mcp_server === 'string' ? recorded.mcp_server : null);
      return { name: tool ?? name, server, input: parsed(input_data), output: parsed(output_data) };
    });

const parsed = (text: string | null | undefined): unknown =>
  typeof text === 'string' ? (JSON.parse(text) as unknown) : null;

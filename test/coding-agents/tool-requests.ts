import { z } from 'zod';
import { newId, sse } from '../cli-tools/answers.ts';

/** The response of a model that requests a command. */
export interface ToolRequest {
  events: string[];
  /** The name of the client's tool. */
  tool: string;
}

/** The tokens of the response with the tool call; other numbers than those of the next response. */
export const TOOL_TOKENS = { in: 13, out: 5 };

/** The command in the prompt that the model is to request. */
const COMMAND = /touch \/[\w./-]+/;
/** The id by which the tool result is found in the next request. */
const CALL_ID = 'call_of_the_test';

const schema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});
const declared = z.object({
  name: z.string(),
  input_schema: schema.optional(),
  parameters: schema.optional(),
  parametersJsonSchema: schema.optional(),
});
type Declared = z.output<typeof declared>;

/** Names of tools that run a command, in the order of preference. */
const SHELLS =
  /^(Bash|bash|shell_command|exec_command|shell|run_shell_command|run_commands|execute_command)$/;

/**
 * The first response to a prompt with a command: a call of the client's tool for commands, with the
 * arguments that its schema requires. Undefined if the model is to respond with text.
 */
export function toolRequestOf(path: string, body: string): ToolRequest | undefined {
  const command = COMMAND.exec(body)?.[0];
  const wire = wires.find(({ paths }) => paths.test(path));
  if (command === undefined || !wire || body.includes(wire.answered)) return undefined;
  const tool = wire.tools(JSON.parse(body) as Body).find(({ name }) => SHELLS.test(name));
  if (!tool) return undefined;
  return { tool: tool.name, events: wire.events(tool.name, argumentsOf(tool, command)) };
}

function argumentsOf(tool: Declared, command: string): Record<string, unknown> {
  const { properties, required } =
    tool.input_schema ?? tool.parameters ?? tool.parametersJsonSchema ?? schema.parse({});
  const names = new Set([...required, ...Object.keys(properties).filter(isCommand)]);
  return Object.fromEntries(
    [...names].map((name) => [name, valueOf(properties[name], isCommand(name) ? command : 'test')]),
  );
}

const isCommand = (name: string): boolean => ['command', 'cmd', 'commands'].includes(name);

/** Google writes types in capital letters. */
function valueOf(property: unknown, text: string): unknown {
  const { type } = z.object({ type: z.unknown() }).parse(property ?? {});
  const named = String(Array.isArray(type) ? type[0] : type).toLowerCase();
  if (named === 'array') return text.startsWith('touch ') ? ['bash', '-c', text] : [text];
  if (named === 'boolean') return false;
  return ['number', 'integer'].includes(named) ? 30_000 : text;
}

type Body = Record<string, unknown>;

interface Wire {
  paths: RegExp;
  /** The part of a request that contains the tool result. */
  answered: string;
  tools: (body: Body) => Declared[];
  events: (name: string, input: object) => string[];
}

const listed = (value: unknown): Declared[] =>
  (Array.isArray(value) ? value : []).flatMap((one) => declared.safeParse(one).data ?? []);

const anthropic: Wire = {
  paths: /^\/v1\/messages$/,
  answered: CALL_ID,
  tools: ({ tools }) => listed(tools),
  events: (name, input) => {
    const event = (type: string, more: object): string => sse({ type, ...more }, type);
    const message = {
      id: newId('msg_'),
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-6',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: TOOL_TOKENS.in, output_tokens: 1 },
    };
    const block = { type: 'tool_use', id: CALL_ID, name, input: {} };
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    return [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: block }),
      event('content_block_delta', { index: 0, delta }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: TOOL_TOKENS.out },
      }),
      event('message_stop', {}),
    ];
  },
};

const chat: Wire = {
  paths: /^\/v1\/chat\/completions$/,
  answered: CALL_ID,
  tools: ({ tools }) =>
    listed(
      (Array.isArray(tools) ? (tools as { function?: unknown }[]) : []).map((one) => one.function),
    ),
  events: (name, input) => {
    const id = newId('chatcmpl-');
    const chunk = (more: object): string =>
      sse({
        id,
        object: 'chat.completion.chunk',
        created: 1_800_000_000,
        model: 'gpt-4o',
        ...more,
      });
    const delta = (content: object, finish_reason: string | null = null): string =>
      chunk({ choices: [{ index: 0, delta: content, finish_reason }] });
    const call = { name, arguments: JSON.stringify(input) };
    const tool_calls = [{ index: 0, id: CALL_ID, type: 'function', function: call }];
    const usage = {
      prompt_tokens: TOOL_TOKENS.in,
      completion_tokens: TOOL_TOKENS.out,
      total_tokens: TOOL_TOKENS.in + TOOL_TOKENS.out,
    };
    return [
      delta({ role: 'assistant', content: null, tool_calls }),
      delta({}, 'tool_calls'),
      chunk({ choices: [], usage }),
      'data: [DONE]\n\n',
    ];
  },
};

const responses: Wire = {
  paths: /^\/v1\/responses$/,
  answered: CALL_ID,
  tools: ({ tools }) => listed(tools),
  events: (name, input) => {
    const id = newId('resp_');
    const item = {
      id: newId('fc_'),
      type: 'function_call',
      status: 'completed',
      call_id: CALL_ID,
      name,
      arguments: JSON.stringify(input),
    };
    const frame = (status: string, output: object[], more: object = {}) => ({
      response: {
        id,
        object: 'response',
        created_at: 1_800_000_000,
        status,
        model: 'gpt-5',
        output,
        ...more,
      },
    });
    const usage = {
      input_tokens: TOOL_TOKENS.in,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: TOOL_TOKENS.out,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: TOOL_TOKENS.in + TOOL_TOKENS.out,
    };
    return [
      { type: 'response.created', ...frame('in_progress', []) },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', arguments: '' },
      },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', ...frame('completed', [item], { usage }) },
    ].map((event, sequence_number) => sse({ ...event, sequence_number }, event.type));
  },
};

const gemini: Wire = {
  paths: /^\/v1(beta)?\/models\/[^/]+:streamGenerateContent$/,
  answered: '"functionResponse"',
  tools: ({ tools }) =>
    (Array.isArray(tools) ? (tools as { functionDeclarations?: unknown }[]) : []).flatMap((one) =>
      listed(one.functionDeclarations),
    ),
  events: (name, args) => [
    sse({
      candidates: [
        {
          content: { parts: [{ functionCall: { name, args } }], role: 'model' },
          index: 0,
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: TOOL_TOKENS.in,
        candidatesTokenCount: TOOL_TOKENS.out,
        totalTokenCount: TOOL_TOKENS.in + TOOL_TOKENS.out,
      },
      modelVersion: 'gemini-2.5-flash',
      responseId: newId('response-'),
    }),
  ],
};

const wires: readonly Wire[] = [anthropic, chat, responses, gemini];

import { isObject, keptWithin, Members } from './json.ts';
import type { JsonObject } from './json.ts';
import type { Part, ToolCallPart, ToolResultPart } from './model.ts';

/** Reads any content. Passed as a parameter, because the outputs of tools are again content. */
export type ReadParts = (value: unknown) => Part[];

/** The type of a part with underscores, because the Vercel AI SDK writes `tool-call`. */
export const typeOf = (object: JsonObject): string =>
  typeof object['type'] === 'string' ? object['type'].replaceAll('-', '_') : '';

const callType = /^(function|custom)$|(^|_)(tool_call|tool_use|function_call|tool_invocation)$/;
const resultType = /(^|_)(tool_result|call_output|tool_call_response)$/;
/** Types of the Responses API: `web_search_call`, `mcp_call`, `code_interpreter_call`. */
const namedCallType = /^[a-z]+(_[a-z]+)*_call$/;
/** Types in UI messages of the Vercel AI SDK. */
const uiToolType = /^(tool_|dynamic_tool$)/;

const ids = ['tool_use_id', 'tool_call_id', 'toolCallId', 'call_id', 'toolUseId', 'id'];

/** Reads a call and, if it contains its output, the result. */
export function readToolParts(object: JsonObject, read: ReadParts): Part[] | undefined {
  const type = typeOf(object);
  if (resultType.test(type)) return [readToolResult(object, read)];
  if (callType.test(type)) return readToolCall(object, read);
  if (namedCallType.test(type)) return readNamedCall(object, read);
  if (uiToolType.test(type) && typeof object['toolCallId'] === 'string')
    return readNamedCall(object, read);
  return undefined;
}

/**
 * Reads a call in the formats of OpenAI, Anthropic, Gemini, LangChain and OpenTelemetry; undefined
 * without a name.
 */
export function readToolCall(object: JsonObject, read: ReadParts): Part[] | undefined {
  const members = new Members(object);
  if (callType.test(typeOf(object))) members.text('type');
  const wrapper = ['function', 'custom', 'tool_call', 'toolInvocation'].find((name) =>
    isObject(object[name]),
  );
  if (wrapper === undefined) return callFrom(members, read);
  const target = members.object(wrapper) ?? {};
  const id = members.text(...ids);
  // OpenInference wraps an OpenAI call in another object.
  const inner = wrapper === 'tool_call' ? readToolCall(target, read) : undefined;
  const parts = inner ?? callFrom(new Members(target), read);
  const [call, ...others] = parts ?? [];
  if (call?.kind !== 'tool_call') return undefined;
  const kept = call.id !== null && id !== null ? { ...members.rest(), id } : members.rest();
  return [{ ...call, id: call.id ?? id, rest: keptWithin(kept, wrapper, call.rest) }, ...others];
}

function callFrom(members: Members, read: ReadParts): Part[] | undefined {
  const name = members.text('name', 'toolName');
  if (name === null) return undefined;
  return callAndResult(members, name, read);
}

/** Reads a call whose type names the tool, unless another member does. */
function readNamedCall(object: JsonObject, read: ReadParts): Part[] {
  const members = new Members(object);
  const type = members.text('type') ?? '';
  const name = members.text('name', 'toolName');
  const named = name ?? type.replace(/^tool-/, '').replace(/_call$/, '');
  return callAndResult(members, named, read);
}

function callAndResult(members: Members, name: string, read: ReadParts): Part[] {
  const id = members.text(...ids);
  const input = members.value('arguments', 'input', 'args', 'action', 'code');
  const output = members.value('output', 'result');
  const error = members.value('errorText');
  const call: ToolCallPart = { kind: 'tool_call', id, name, input, rest: members.rest() };
  const given = [output, error].filter((value) => value !== null);
  if (given.length === 0) return [call];
  const parts = given.flatMap((value) => outputOf(value, read));
  const failed = error !== null;
  const result = {
    kind: 'tool_result',
    id,
    name: null,
    failed,
    output: parts,
    rest: null,
  } as const;
  return [call, result];
}

/**
 * Reads a result in the formats of Anthropic, the Responses API, OpenTelemetry and the Vercel AI
 * SDK.
 */
export function readToolResult(object: JsonObject, read: ReadParts): ToolResultPart {
  const members = new Members(object);
  if (resultType.test(typeOf(object))) members.text('type');
  const id = members.text(...ids);
  const name = members.text('name', 'toolName');
  const flagged = members.flag('is_error', 'isError');
  const output = members.value('content', 'output', 'result', 'response');
  const failed = flagged || object['status'] === 'error' || isErrorOutput(output);
  const parts = outputOf(output, read);
  return { kind: 'tool_result', id, name, failed, output: parts, rest: members.rest() };
}

const outputTypes = new Set(['text', 'json', 'error_text', 'error_json', 'content']);

const isErrorOutput = (output: unknown): boolean =>
  isObject(output) && typeOf(output).startsWith('error_');

/** Reads the output of a tool, which the Vercel AI SDK wraps in an object with its type. */
function outputOf(output: unknown, read: ReadParts): Part[] {
  const isWrapped = isObject(output) && outputTypes.has(typeOf(output)) && 'value' in output;
  if (!isWrapped) return read(output);
  const members = new Members(output);
  members.text('type');
  const parts = read(members.value('value'));
  const rest = members.rest();
  return rest === null ? parts : [...parts, { kind: 'data', value: rest }];
}

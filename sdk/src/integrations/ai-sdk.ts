import { defaultObserver } from '../default-observer.ts';
import { observeDependenciesOf } from '../observe-parts.ts';
import type { Observer } from '../observer.ts';
import type { LlmCall, RequestedTool, Run, RunOptions } from '../recording/types.ts';
import { field, list, number, previewOf, text } from '../wrap/call-reader.ts';

export interface AiSdkOptions extends RunOptions {
  /** Default: the observer of this process. */
  observer?: Observer;
}

/** The part of the AI SDK's interface `Telemetry` (from version 7) that is used here. */
export interface AiSdkTelemetry {
  onStart: (event: object) => void;
  onLanguageModelCallStart: (event: object) => void;
  onLanguageModelCallEnd: (event: object) => void;
  onEmbedEnd: (event: object) => void;
  onEnd: (event: object) => void;
  onAbort: (event: object) => void;
  onError: (event: unknown) => void;
  executeTool: <T>(call: {
    callId: string;
    toolCallId: string;
    toolCall?: { toolName: string; input: unknown };
    execute: () => PromiseLike<T>;
  }) => PromiseLike<T>;
}

/** An operation (`generateText`, `streamText`, `embed` …) that has not ended. */
interface Operation {
  run: Run;
  /** Whether the run was started for the operation and ends with it. */
  isRoot: boolean;
  parentSpanId: string | undefined;
  /** The model call in progress. */
  pendingCall: { model: string; provider: string; prompt: unknown; startedAt: number } | undefined;
}

/**
 * Creates a telemetry integration for Vercel's AI SDK, version 7 or later:
 * `registerTelemetry(aiSdkTelemetry())`, or `telemetry: { integrations: [aiSdkTelemetry()] }` for a
 * single call. Model calls become LLM calls, and tools become spans. Inside a run, all records
 * belong to it. Otherwise, each operation becomes a run with the given options, named after the
 * operation's `functionId`.
 */
export function aiSdkTelemetry({ observer, ...options }: AiSdkOptions = {}): AiSdkTelemetry {
  const operations = new Map<string, Operation>();
  const capturesContent = (): boolean =>
    observeDependenciesOf(observer ?? defaultObserver()).settings.captureContent;
  const operationOf = (event: unknown): Operation | undefined =>
    operations.get(text(field(event, 'callId')));

  function end(event: unknown, outcome: { result: unknown } | { error: unknown }): void {
    const operation = operationOf(event);
    if (!operation) return;
    operations.delete(text(field(event, 'callId')));
    const { run, isRoot, pendingCall, parentSpanId } = operation;
    if ('error' in outcome && pendingCall)
      run.recordFailedCall(
        {
          model: pendingCall.model,
          provider: providerOf(pendingCall.provider),
          startedAt: pendingCall.startedAt,
          durationMs: Date.now() - pendingCall.startedAt,
          promptPreview: previewOf(pendingCall.prompt),
          ...(parentSpanId && { parentSpanId }),
        },
        outcome.error,
      );
    if (!isRoot) return;
    if ('error' in outcome) run.fail(outcome.error);
    else run.complete(capturesContent() ? outcome.result : undefined);
  }

  return {
    onStart: (event) => {
      const own = observer ?? defaultObserver();
      const above = own.currentRun();
      const name = text(field(event, 'functionId')) || text(field(event, 'operationId'));
      const prompt = field(event, 'messages') ?? field(event, 'prompt');
      const inputs = capturesContent() && !options.inputs && { inputs: { prompt } };
      const run =
        above ?? own.startRun({ ...(name && { agentName: name }), ...options, ...inputs });
      operations.set(text(field(event, 'callId')), {
        run,
        isRoot: !above,
        parentSpanId: above?.currentSpanId,
        pendingCall: undefined,
      });
    },
    onLanguageModelCallStart: (event) => {
      const operation = operationOf(event);
      if (operation)
        operation.pendingCall = {
          model: text(field(event, 'modelId')),
          provider: text(field(event, 'provider')),
          prompt: field(event, 'messages') ?? field(event, 'prompt'),
          startedAt: Date.now(),
        };
    },
    onLanguageModelCallEnd: (event) => {
      const operation = operationOf(event);
      if (!operation) return;
      const { run, pendingCall, parentSpanId } = operation;
      operation.pendingCall = undefined;
      run.recordCall({
        ...callOf(event),
        ...(pendingCall && {
          startedAt: pendingCall.startedAt,
          promptPreview: previewOf(pendingCall.prompt),
        }),
        ...(parentSpanId && { parentSpanId }),
      });
    },
    onEmbedEnd: (event) =>
      operationOf(event)?.run.recordCall({
        model: text(field(event, 'modelId')),
        provider: providerOf(text(field(event, 'provider'))),
        tokensIn: number(field(event, 'usage', 'tokens')),
        tokensOut: 0,
        promptPreview: previewOf(field(event, 'values')),
      }),
    onEnd: (event) => end(event, { result: field(event, 'text') ?? field(event, 'object') }),
    onAbort: (event) => end(event, { error: new Error('aborted') }),
    onError: (event) => end(event, { error: field(event, 'error') ?? event }),
    executeTool: ({ callId, toolCall, execute }) => {
      const operation = operations.get(callId);
      if (!operation) return execute();
      const { run } = operation;
      const input = capturesContent() ? toolCall?.input : undefined;
      return run.within(() =>
        run.span(
          toolCall?.toolName ?? 'tool',
          async (span) => {
            const output = await execute();
            if (capturesContent()) span.set({ output });
            return output;
          },
          { kind: 'tool', input },
        ),
      );
    },
  };
}

function callOf(event: unknown): LlmCall {
  const usage = field(event, 'usage');
  const reasoning = field(usage, 'outputTokenDetails', 'reasoningTokens');
  const firstAfter = field(event, 'performance', 'timeToFirstOutputMs');
  const content = list(field(event, 'content'));
  return {
    model: text(field(event, 'modelId')),
    provider: providerOf(text(field(event, 'provider'))),
    responseId: text(field(event, 'responseId')),
    tokensIn: number(field(usage, 'inputTokens')),
    tokensOut: number(field(usage, 'outputTokens')),
    cacheReadTokens: number(field(usage, 'inputTokenDetails', 'cacheReadTokens')),
    cacheWriteTokens: number(field(usage, 'inputTokenDetails', 'cacheWriteTokens')),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
    durationMs: number(field(event, 'performance', 'responseTimeMs')),
    ...(typeof firstAfter === 'number' && { timeToFirstTokenMs: firstAfter }),
    finishReason: text(field(event, 'finishReason')),
    toolCalls: content.filter((part) => field(part, 'type') === 'tool-call').map(toolOf),
    responsePreview: content.map((part) => text(field(part, 'text'))).join(''),
  };
}

const toolOf = (part: unknown): RequestedTool => ({
  id: text(field(part, 'toolCallId')),
  name: text(field(part, 'toolName')),
  arguments: field(part, 'input'),
});

/**
 * The provider's name. The names in the AI SDK include the API: `openai.responses`,
 * `google.generative-ai`.
 */
const providerOf = (name: string): string => name.split('.')[0] ?? name;

import { defaultObserver } from '../default-observer.ts';
import type { Observer } from '../observer.ts';
import { observeDependenciesOf } from '../observe-parts.ts';
import type { TracePosition, Run, RunOptions } from '../recording/types.ts';
import { field, list, previewOf, text } from '../wrap/call-reader.ts';
import { callOf, inputOf, messagesOf, modelOf, nameOf } from './langchain-records.ts';

export interface LangChainOptions extends RunOptions {
  /** Default: the observer of this process. */
  observer?: Observer;
}

/**
 * The methods that LangChain calls. It accepts any object that has them (`callbacks: [handler]`).
 */
export interface LangChainHandler {
  name: string;
  /** LangChain waits for the methods, so that they run in the context of the program. */
  awaitHandlers: true;
  handleChainStart: (...args: ChainStart) => void;
  handleChainEnd: (outputs: unknown, runId: string) => void;
  handleChainError: (error: unknown, runId: string) => void;
  handleChatModelStart: (...args: ModelStart) => void;
  handleLLMStart: (...args: ModelStart) => void;
  handleLLMEnd: (result: unknown, runId: string) => void;
  handleLLMError: (error: unknown, runId: string) => void;
  handleToolStart: (...args: PartStart) => void;
  handleToolEnd: (output: unknown, runId: string) => void;
  handleToolError: (error: unknown, runId: string) => void;
  handleRetrieverStart: (...args: PartStart) => void;
  handleRetrieverEnd: (documents: unknown, runId: string) => void;
  handleRetrieverError: (error: unknown, runId: string) => void;
}

type Start<Content> = [serialized: unknown, content: Content, runId: string, parentRunId?: string];
type ChainStart = [
  ...Start<unknown>,
  tags?: unknown,
  metadata?: unknown,
  runType?: unknown,
  runName?: unknown,
];
type ModelStart = [...Start<unknown>, extraParams?: unknown, tags?: unknown, metadata?: unknown];
type PartStart = [...Start<string>, tags?: unknown, metadata?: unknown, runName?: unknown];

/** A chain, model, tool or retriever that has not ended, by LangChain's id. */
interface OpenEntry {
  run: Run;
  parentId: string | undefined;
  /** Whether the run was started for it and ends with it. */
  isRoot: boolean;
  /** The part to record. Undefined for chains, which are not recorded. */
  part: { name: string; content: unknown; startedAt: number } | undefined;
}

/**
 * Records chains, agents and graphs of LangChain and LangGraph. Models become LLM calls, and tools
 * and retrievers become spans. Inside a run, all records belong to it. Otherwise, the outermost
 * chain becomes a run with the given options.
 */
export function langChainHandler({
  observer,
  ...options
}: LangChainOptions = {}): LangChainHandler {
  const opened = new Map<string, OpenEntry>();
  const capturesContent = (): boolean =>
    observeDependenciesOf(observer ?? defaultObserver()).settings.captureContent;

  function open(
    id: string,
    parentId: string | undefined,
    name: string,
    content: unknown,
    part?: OpenEntry['part'],
  ): void {
    const own = observer ?? defaultObserver();
    const parentRun = (parentId && opened.get(parentId)?.run) || own.currentRun();
    const inputs = capturesContent() && !options.inputs && { inputs: { input: content } };
    const run = parentRun ?? own.startRun({ agentName: name, ...options, ...inputs });
    opened.set(id, { run, parentId, isRoot: !parentRun, part });
  }

  const openPart = (id: string, parentId: string | undefined, name: string, content: unknown) =>
    open(id, parentId, name, content, { name, content, startedAt: Date.now() });

  /** Records the entry if its start was reported, and ends the run that was started for it. */
  function close(id: string, end: { result: unknown } | { error: unknown }, record?: Record): void {
    const entry = opened.get(id);
    if (!entry) return;
    const { run, part, isRoot } = entry;
    if (part) record?.(run, part, tracePositionOf(id, entry));
    opened.delete(id);
    if (!isRoot) return;
    if ('error' in end) run.fail(end.error);
    else run.complete(capturesContent() ? end.result : undefined);
  }

  /** The trace position, below the enclosing tool or retriever if there is one. */
  function tracePositionOf(
    id: string,
    { part, parentId }: OpenEntry,
  ): TracePosition & { durationMs: number } {
    const startedAt = part?.startedAt ?? Date.now();
    let above = parentId;
    while (above !== undefined && !opened.get(above)?.part) above = opened.get(above)?.parentId;
    return {
      spanId: spanIdOf(id),
      ...(above !== undefined && { parentSpanId: spanIdOf(above) }),
      startedAt,
      durationMs: Date.now() - startedAt,
    };
  }

  const ifCaptured = (content: unknown): unknown => (capturesContent() ? content : undefined);

  const failedCall =
    (error: unknown): Record =>
    (run, { name, content }, place) =>
      run.recordFailedCall({ model: name, promptPreview: previewOf(content), ...place }, error);
  const tool =
    (outcome: { output?: unknown; status?: 'error'; attributes?: { error: string } }): Record =>
    (run, { name, content }, place) =>
      run.recordTool({ name, input: ifCaptured(content), ...outcome, ...place });
  const retrieval =
    (outcome: { documents?: readonly unknown[]; status?: 'error' }): Record =>
    (run, { name, content }, place) =>
      run.recordRetrieval({ name, query: text(ifCaptured(content)), ...outcome, ...place });

  return {
    name: 'svc-observe',
    awaitHandlers: true,
    handleChainStart: (...[serialized, inputs, id, parentId, , , , runName]) =>
      open(id, parentId, nameOf(serialized, runName), inputs),
    handleChainEnd: (result, id) => close(id, { result }),
    handleChainError: (error, id) => close(id, { error }),
    handleChatModelStart: (...[serialized, messages, id, parentId, extra, , metadata]) =>
      openPart(id, parentId, modelOf(serialized, extra, metadata), messagesOf(messages)),
    handleLLMStart: (...[serialized, prompts, id, parentId, extra, , metadata]) =>
      openPart(id, parentId, modelOf(serialized, extra, metadata), list(prompts).join('\n')),
    handleLLMEnd: (result, id) =>
      close(id, { result: undefined }, (run, { name, content }, place) =>
        run.recordCall({ ...callOf(result, name, content), ...place }),
      ),
    handleLLMError: (error, id) => close(id, { error }, failedCall(error)),
    handleToolStart: (...[serialized, input, id, parentId, , , runName]) =>
      openPart(id, parentId, nameOf(serialized, runName), inputOf(input)),
    handleToolEnd: (output, id) =>
      close(
        id,
        { result: output },
        tool({ output: ifCaptured(field(output, 'content') ?? output) }),
      ),
    handleToolError: (error, id) =>
      close(id, { error }, tool({ status: 'error', attributes: { error: String(error) } })),
    handleRetrieverStart: (...[serialized, query, id, parentId, , , runName]) =>
      openPart(id, parentId, nameOf(serialized, runName), query),
    handleRetrieverEnd: (documents, id) =>
      close(
        id,
        { result: undefined },
        retrieval({ documents: capturesContent() ? contentsOf(documents) : [] }),
      ),
    handleRetrieverError: (error, id) => close(id, { error }, retrieval({ status: 'error' })),
  };
}

type Record = (
  run: Run,
  part: NonNullable<OpenEntry['part']>,
  place: TracePosition & { durationMs: number },
) => void;

const contentsOf = (documents: unknown): unknown[] =>
  list(documents).map((document) => field(document, 'pageContent'));

/** The second half of the id, because the first half of a UUID may encode the time. */
const spanIdOf = (id: string): string => id.replaceAll('-', '').slice(16);

import {
  addTool,
  type CallReader,
  field,
  list,
  number,
  readerOf,
  type ReadState,
  text,
} from './call-reader.ts';

/**
 * Reads responses of `Converse` and `ConverseStream` of Amazon Bedrock. Input tokens exclude cached
 * tokens, which are added here. The id of the request serves as the id of the response.
 */
export const converseReader = (input: unknown): CallReader =>
  readerOf({
    body: input,
    model: text(field(input, 'modelId')),
    prompt: field(input, 'messages'),
    update: (state, value, isEvent) => {
      state.id = text(field(value, '$metadata', 'requestId')) || state.id;
      state.usage =
        field(value, isEvent ? 'metadata' : 'usage', ...(isEvent ? ['usage'] : [])) ?? state.usage;
      const reason = field(value, 'stopReason') ?? field(value, 'messageStop', 'stopReason');
      state.finishReason = text(reason) || state.finishReason;
      if (isEvent) readEvent(state, value);
      else
        for (const [index, block] of list(field(value, 'output', 'message', 'content')).entries())
          readBlock(state, index, block);
    },
    tokens: (usage) => {
      const cacheReadTokens = number(field(usage, 'cacheReadInputTokens'));
      const cacheWriteTokens = number(field(usage, 'cacheWriteInputTokens'));
      return {
        tokensIn: number(field(usage, 'inputTokens')) + cacheReadTokens + cacheWriteTokens,
        tokensOut: number(field(usage, 'outputTokens')),
        cacheReadTokens,
        cacheWriteTokens,
      };
    },
  });

function readBlock(state: ReadState, index: number, block: unknown): void {
  state.response += text(field(block, 'text'));
  const tool = field(block, 'toolUse');
  if (tool)
    addTool(state, index, {
      id: field(tool, 'toolUseId'),
      name: field(tool, 'name'),
      arguments: field(tool, 'input'),
    });
}

function readEvent(state: ReadState, event: unknown): void {
  const start = field(event, 'contentBlockStart');
  const tool = field(start, 'start', 'toolUse');
  if (tool)
    addTool(state, number(field(start, 'contentBlockIndex')), {
      id: field(tool, 'toolUseId'),
      name: field(tool, 'name'),
    });
  const delta = field(event, 'contentBlockDelta');
  state.response += text(field(delta, 'delta', 'text'));
  const json = field(delta, 'delta', 'toolUse', 'input');
  if (typeof json === 'string')
    addTool(state, number(field(delta, 'contentBlockIndex')), { arguments: json });
}

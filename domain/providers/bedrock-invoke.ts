import { anthropicMessages } from './anthropic-messages.ts';
import type { Api, Call, Description, StreamEvent } from './api.ts';
import { bedrockConverse, novaEvent, modelInPath } from './bedrock-converse.ts';
import { countOf, field, isObject, joinedOf, listOf, textOf } from './json-fields.ts';
import { joinByPath } from './join-by-path.ts';
import { lastUserText } from './messages.ts';
import { openAiChat } from './openai-chat.ts';

/** Bedrock's InvokeModel. Its bodies have the format of each model's vendor. */
export const bedrockInvoke: Api = {
  id: 'bedrock-invoke',
  provider: 'Amazon',
  path: /\/model\/[^/]+\/invoke(?:-with-response-stream)?$/,
  isRequest: (request) => isObject(request),
  isResponse: () => false,
  joinStream,
  describe,
};

function joinStream(events: readonly StreamEvent[]): object | null {
  const joined = joinVendorEvents(events.filter((event) => !isException(event)));
  const exception = events.find(isException);
  if (!exception) return joined;
  return { ...joined, error: { type: exception.name, message: field(exception.data, 'message') } };
}

/** If the model fails, Bedrock ends the stream with an event of its own, whatever the vendor. */
const isException = ({ name }: StreamEvent): boolean => name?.endsWith('Exception') === true;

function joinVendorEvents(events: readonly StreamEvent[]): object | null {
  const anthropic = anthropicMessages.joinStream(events);
  if (anthropic) return anthropic;
  const nova = events.map(novaEvent).filter((event) => event !== undefined);
  if (nova.length > 0) return bedrockConverse.joinStream(nova);
  return openAiChat.joinStream(events) ?? joinByPath(events);
}

function describe(call: Call, response: unknown): Description {
  const vendorApi = vendorApiOf(call.request, response);
  const model = modelInPath(call.path);
  if (vendorApi) return { ...vendorApi.describe(call, response), model };
  return { ...describeOther(call.request, response), model };
}

function vendorApiOf(request: unknown, response: unknown): Api | undefined {
  if (field(request, 'anthropic_version') !== undefined) return anthropicMessages;
  return [anthropicMessages, bedrockConverse, openAiChat].find((api) => api.isResponse(response));
}

/** Titan, Llama, Mistral and Cohere use different member names for the same content. */
function describeOther(request: unknown, response: unknown): Description {
  const isEmbedding = ['embedding', 'embeddings'].some(
    (name) => field(response, name) !== undefined,
  );
  const outputs = ['results', 'outputs', 'generations'].flatMap((name) =>
    listOf(field(response, name)),
  );
  const metrics = field(response, 'amazon-bedrock-invocationMetrics');
  return {
    operation: isEmbedding ? 'embeddings' : 'completion',
    tokens_in:
      countOf(field(response, 'prompt_token_count')) ??
      countOf(field(response, 'inputTextTokenCount')) ??
      countOf(field(metrics, 'inputTokenCount')),
    tokens_out:
      countOf(field(response, 'generation_token_count')) ??
      countOf(field(outputs[0], 'tokenCount')) ??
      countOf(field(metrics, 'outputTokenCount')),
    prompt:
      lastUserText(field(request, 'messages')) ??
      textOf(field(request, 'prompt')) ??
      textOf(field(request, 'inputText')),
    completion:
      textOf(field(response, 'generation')) ??
      textOf(field(response, 'outputText')) ??
      joinedOf(
        outputs.map(
          (output) => textOf(field(output, 'text')) ?? textOf(field(output, 'outputText')),
        ),
        '\n\n',
      ),
    finish_reason:
      textOf(field(response, 'stop_reason')) ??
      textOf(field(response, 'completionReason')) ??
      textOf(field(outputs[0], 'completionReason')),
  };
}

import type { Api, Call, Description } from './api.ts';
import { countOf, field, hasSome, sumOf, textOf } from './json-fields.ts';
import { textOfContent } from './messages.ts';

/** Embeddings of OpenAI and compatible APIs, both of Ollama's, Cohere's, Voyage's and Gemini's. */
export const embeddings: Api = {
  id: 'embeddings',
  provider: 'OpenAI-compatible',
  path: /\/embeddings$|\/v[12]\/embed$|\/api\/embed$|:(?:batchE|e)mbedContents?$/,
  isRequest: (request) =>
    hasSome(request, 'input', 'inputs', 'texts', 'prompt', 'content', 'requests'),
  isResponse: (value) => field(value, 'data', 0, 'object') === 'embedding',
  // No provider streams embeddings.
  joinStream: () => null,
  describe,
};

function describe({ request, path }: Call, response: unknown): Description {
  const usage = field(response, 'usage');
  const billed = field(response, 'meta', 'billed_units');
  return {
    operation: 'embeddings',
    model:
      textOf(field(response, 'model')) ??
      textOf(field(request, 'model')) ??
      textOf(/\/models\/([^/:]+):/.exec(path)?.[1]),
    tokens_in:
      countOf(field(usage, 'prompt_tokens')) ??
      countOf(field(usage, 'total_tokens')) ??
      countOf(field(response, 'prompt_eval_count')) ??
      countOf(field(response, 'usageMetadata', 'promptTokenCount')) ??
      sumOf(countOf(field(billed, 'input_tokens')), countOf(field(billed, 'image_tokens'))),
    prompt: inputOf(request),
    response_id: textOf(field(response, 'id')),
  };
}

/** Null for lists of token numbers, which are useless to a reader. */
function inputOf(request: unknown): string | null {
  const names = ['input', 'texts', 'prompt'];
  const given = names.map((name) => textOfContent(field(request, name)));
  const parts = textOfContent(field(request, 'content', 'parts'));
  return given.find((text) => text !== null) ?? parts;
}

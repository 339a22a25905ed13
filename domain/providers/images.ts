import type { Api, Call, Description, StreamEvent } from './api.ts';
import { field, hasSome, isObject, joinedOf, listOf, textOf } from './json-fields.ts';
import { textOfContent } from './messages.ts';
import { openAiTokens } from './openai-usage.ts';

/**
 * The generation and editing of images by OpenAI, Azure, xAI and compatible APIs, and by Google's
 * Imagen. Gemini and the Responses API also create images, in their usual formats.
 *
 * Sources: https://platform.openai.com/docs/api-reference/images,
 * https://ai.google.dev/gemini-api/docs/imagen
 */
export const images: Api = {
  id: 'images',
  provider: 'OpenAI-compatible',
  path: /\/images\/(?:generations|edits)$|\/models\/imagen[^/:]*:predict$/,
  isRequest: (request) => hasSome(request, 'prompt', 'instances'),
  isResponse: (value) => isImage(field(value, 'data', 0)) || isImageEvent(value),
  joinStream,
  describe,
};

const isImage = (value: unknown): boolean => hasSome(value, 'b64_json', 'url');

const isImageEvent = (value: unknown): boolean =>
  /^image_(?:generation|edit)\./.test(textOf(field(value, 'type')) ?? '');

/** The last event contains the whole image; the others are previews of it. */
function joinStream(events: readonly StreamEvent[]): object | null {
  const last = events.map(({ data }) => data).findLast(isImageEvent);
  return isObject(last) ? last : null;
}

function describe({ request, path }: Call, response: unknown): Description {
  const revised = listOf(field(response, 'data')).map((image) => field(image, 'revised_prompt'));
  return {
    operation: 'other',
    model:
      textOf(field(response, 'model')) ??
      textOf(field(request, 'model')) ??
      textOf(/\/models\/([^/:]+):/.exec(path)?.[1]),
    ...openAiTokens(field(response, 'usage')),
    prompt: textOfContent(field(request, 'prompt')) ?? promptsOf(field(request, 'instances')),
    completion: joinedOf(revised.map(textOf), '\n\n'),
  };
}

const promptsOf = (instances: unknown): string | null =>
  joinedOf(
    listOf(instances).map((instance) => textOf(field(instance, 'prompt'))),
    '\n\n',
  );

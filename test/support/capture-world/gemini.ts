import { z } from 'zod';
import { type ModelRequest, RejectedRequest, type Wire } from '../model-wire.ts';

const body = z.strictObject({
  contents: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'model']),
        parts: z.array(z.strictObject({ text: z.string() })).min(1),
      }),
    )
    .min(1),
});

const MODEL = 'gemini-2.5-flash';
const words = (text: string): number => text.split(/\s+/).length;

/** Each chunk is a complete response with the usage so far. */
function chunk({ messageTexts }: ModelRequest, text: string, output: string, more = {}): object {
  const [prompt, answer] = [words(messageTexts.join(' ')), words(output)];
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...more }],
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: answer,
      totalTokenCount: prompt + answer,
    },
    modelVersion: MODEL,
    responseId: 'response-1',
  };
}

const sse = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`;

/** Google's streamGenerateContent with `alt=sse`. */
export const gemini: Wire = {
  path: `/v1beta/models/${MODEL}:streamGenerateContent`,
  keyOf: (headers) => headers['x-goog-api-key']?.toString(),
  read(given) {
    const { data, error } = body.safeParse(given);
    if (!data) throw new RejectedRequest(400, `Invalid JSON payload received: ${error.message}`);
    const messageTexts = data.contents.flatMap(({ parts }) => parts.map(({ text }) => text));
    return { model: MODEL, stream: true, messageTexts };
  },
  responseBody: (request, output) => chunk(request, output, output, { finishReason: 'STOP' }),
  events: (request, pieces) => ({
    start: [],
    pieces: pieces
      .slice(0, -1)
      .map((text, i) => sse(chunk(request, text, pieces.slice(0, i + 1).join('')))),
    end: [sse(chunk(request, pieces.at(-1) ?? '', pieces.join(''), { finishReason: 'STOP' }))],
  }),
  error: (status, message) => ({ error: { code: status, message, status: 'INVALID_ARGUMENT' } }),
  errorEvent: (message) => sse({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
};

/** Google's generateContent, without streaming. */
export const geminiNonStreaming: Wire = {
  ...gemini,
  path: `/v1beta/models/${MODEL}:generateContent`,
  read: (given, headers) => ({ ...gemini.read(given, headers), stream: false }),
};

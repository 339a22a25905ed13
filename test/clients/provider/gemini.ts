import { z } from 'zod';
import { idOf, piecesOf, RefusedRequest, type Reply, sse, textsOf, type Wire } from './wire.ts';

const content = z.looseObject({
  role: z.enum(['user', 'model', 'function']).optional(),
  parts: z
    .array(
      z.looseObject({
        functionCall: z.looseObject({}).optional(),
        functionResponse: z.looseObject({}).optional(),
      }),
    )
    .min(1),
});
const body = z.looseObject({
  contents: z.array(content).min(1),
  systemInstruction: z.looseObject({ parts: z.array(z.looseObject({})) }).nullish(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional(),
      }),
    )
    .nullish(),
});
type Content = z.output<typeof content>;

const PATH = /\/models\/([^/:]+):(streamG|g)enerateContent$/;

const isVertex = (path: string): boolean => path.includes('/projects/');

/** Like Google, requires roles on Vertex AI, and a response in the next turn for each call. */
function checkContents(path: string, contents: readonly Content[]): void {
  let calls = 0;
  for (const { role, parts } of contents) {
    if (role === undefined && isVertex(path))
      throw new RefusedRequest(400, 'Please use a valid role: user, model.');
    const results = parts.filter(({ functionResponse }) => functionResponse !== undefined);
    if (results.length !== calls)
      throw new RefusedRequest(
        400,
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    calls = parts.filter(({ functionCall }) => functionCall !== undefined).length;
  }
}

const partsOf = (reply: Reply): object[] =>
  reply.tool
    ? [{ functionCall: { name: reply.tool.name, args: reply.tool.arguments } }]
    : [{ text: reply.text }];

/** Thoughts are counted beside the tokens of the candidates, and are part of the total. */
const usageOf = ({ usage }: Reply) => ({
  promptTokenCount: usage.input,
  cachedContentTokenCount: usage.cacheRead,
  candidatesTokenCount: usage.output - usage.reasoning,
  thoughtsTokenCount: usage.reasoning,
  totalTokenCount: usage.input + usage.output,
});

const frame = (model: string, reply: Reply, parts: object[], isLast: boolean) => ({
  candidates: [
    { content: { parts, role: 'model' }, index: 0, ...(isLast && { finishReason: 'STOP' }) },
  ],
  ...(isLast && { usageMetadata: usageOf(reply) }),
  modelVersion: model,
  responseId: idOf('gemini-', reply),
});

/** Google's Gemini API, and that of Vertex AI, where keys are access tokens. */
export const gemini: Wire = {
  paths: /^\/v1(?:beta1?|alpha)?(?:\/projects\/.*)?\/.*models\/[^/]+:(?:streamG|g)enerateContent$/,
  keyOf: (headers, url) =>
    isVertex(url.pathname)
      ? /^Bearer (.*)$/.exec(String(headers.authorization))?.[1]
      : ((headers['x-goog-api-key'] as string | undefined) ??
        url.searchParams.get('key') ??
        undefined),
  modelOf: (model) => model,
  read(path, given) {
    const { data, error } = body.safeParse(given);
    if (!data)
      throw new RefusedRequest(400, `Invalid value at '${error.issues[0]?.path.join('.')}'`);
    const [, model = '', kind] = PATH.exec(path) ?? [];
    checkContents(path, data.contents);
    const parts = data.contents.flatMap((one) => one.parts);
    return {
      model,
      isStream: kind === 'streamG',
      texts: [...textsOf(data.systemInstruction?.parts), ...textsOf(parts)],
      tools: (data.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name }) => name),
      ),
      hasToolResult: parts.some(({ functionResponse }) => functionResponse !== undefined),
    };
  },
  answer: ({ model }, reply) => frame(model, reply, partsOf(reply), true),
  events({ model }, reply) {
    const pieces = reply.tool
      ? [partsOf(reply)]
      : piecesOf(reply.text).map((text) => [{ text }] as object[]);
    return pieces.map((parts, i) => sse(frame(model, reply, parts, i === pieces.length - 1)));
  },
  error: (status, message) => ({
    error: {
      code: status,
      message,
      status: status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT',
    },
  }),
};

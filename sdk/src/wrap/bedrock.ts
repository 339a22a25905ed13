import { type ActiveObservation, startObservation } from './call-observation.ts';
import { field } from './call-reader.ts';
import { converseReader } from './bedrock-reader.ts';
import { observeEvents, type WrapOptions, callObserver } from './observe-method.ts';

interface Request {
  input: object;
}
interface Result {
  output: { stream?: AsyncIterable<unknown> };
}
type Handler = (request: Request) => Promise<Result>;
type Middleware = (next: Handler, context: { commandName?: string }) => Handler;

/** The middleware stack of AWS clients. */
interface MiddlewareStack {
  add(middleware: Middleware, options: { step: 'initialize'; name: string; override: true }): void;
}

const CONVERSE = /^Converse(Stream)?Command$/;

/**
 * Records `Converse` and `ConverseStream` of a `BedrockRuntimeClient` as LLM calls. Retries are
 * part of a call. Adds a middleware to the client and returns it.
 */
export function wrapBedrock<T extends object>(client: T, options: WrapOptions = {}): T {
  const watching = callObserver({ provider: 'aws', ...options });
  const middleware: Middleware = (next, { commandName = '' }) =>
    CONVERSE.test(commandName)
      ? (request) =>
          converse(
            next,
            request,
            startObservation(watching(request.input, converseReader(request.input))),
          )
      : next;
  const stack = field(client, 'middlewareStack') as MiddlewareStack | undefined;
  stack?.add(middleware, { step: 'initialize', name: 'svc-observe', override: true });
  return client;
}

async function converse(
  next: Handler,
  request: Request,
  watch: ActiveObservation,
): Promise<Result> {
  try {
    const result = await next(request);
    const { output } = result;
    if (output.stream) {
      watch.reader.read({ $metadata: field(output, '$metadata') });
      return { ...result, output: { ...output, stream: observeStream(output.stream, watch) } };
    }
    watch.reader.read(output);
    watch.finish();
    return result;
  } catch (error) {
    watch.fail(error);
    throw error;
  }
}

const observeStream = (
  stream: AsyncIterable<unknown>,
  watch: ActiveObservation,
): AsyncIterable<unknown> => ({
  [Symbol.asyncIterator]: () => observeEvents(stream[Symbol.asyncIterator](), watch),
});

import type { ActiveObservation } from './call-observation.ts';

/**
 * Returns the HTTP response with a body that records the call when the agent has read or cancelled
 * it. The provider's body is read only as the agent reads: a second reader would keep a stream
 * going that the agent cancels.
 */
export function observeBody(response: unknown, watch: ActiveObservation): unknown {
  // The response of another implementation of fetch: only the request is known.
  if (!(response instanceof Response) || response.body === null) {
    watch.finish();
    return response;
  }
  const { body, status, statusText, headers, url, redirected } = response;
  const observed = new Response(observeBytes(body, watch, contentOf(headers, watch)), {
    status,
    statusText,
    headers,
  });
  return Object.defineProperties(observed, {
    url: { value: url },
    redirected: { value: redirected },
  });
}

/** Reads the bytes of a body. */
interface Content {
  add(bytes: Uint8Array): void;
  end(): void;
}

const contentOf = (headers: Headers, watch: ActiveObservation): Content =>
  headers.get('content-type')?.startsWith('text/event-stream')
    ? events(watch)
    : wholeResponse(watch);

function observeBytes(
  body: ReadableStream<Uint8Array>,
  watch: ActiveObservation,
  content: Content,
): ReadableStream<Uint8Array> {
  let source: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        source ??= body.getReader();
        try {
          const { value, done } = await source.read();
          if (!done) {
            content.add(value);
            return controller.enqueue(value);
          }
          content.end();
          watch.finish();
          controller.close();
        } catch (error) {
          // The provider charges for the events of a stream that has begun.
          if (watch.firstAt === undefined) watch.fail(error);
          watch.finish();
          throw error;
        }
      },
      cancel(reason) {
        watch.finish();
        return (source ?? body).cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function wholeResponse({ reader }: ActiveObservation): Content {
  const decoder = new TextDecoder();
  let json = '';
  return {
    add(bytes) {
      json += decoder.decode(bytes, { stream: true });
    },
    end() {
      const value = parsedJson(json + decoder.decode());
      if (value !== undefined) reader.read(value);
    },
  };
}

/** A blank line ends an event. */
const BETWEEN_EVENTS = /\r\n\r\n|\n\n|\r\r/;
const LINE_END = /\r\n|\n|\r/;
const DATA = /^data: ?/;

/** Reads server-sent events; their data is JSON, except the last one of OpenAI (`[DONE]`). */
function events(watch: ActiveObservation): Content {
  const decoder = new TextDecoder();
  let rest = '';
  const readEvent = (event: string): void => {
    const lines = event.split(LINE_END).filter((line) => DATA.test(line));
    const value = parsedJson(lines.map((line) => line.replace(DATA, '')).join('\n'));
    if (value === undefined) return;
    watch.firstAt ??= Date.now();
    watch.reader.add(value);
  };
  return {
    add(bytes) {
      const complete = (rest + decoder.decode(bytes, { stream: true })).split(BETWEEN_EVENTS);
      rest = complete.pop() ?? '';
      for (const event of complete) readEvent(event);
    },
    end: () => readEvent(rest + decoder.decode()),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

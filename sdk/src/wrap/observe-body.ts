import { type BodyContent, wholeResponse } from './body-content.ts';
import type { ActiveObservation } from './call-observation.ts';
import { serverSentEvents } from './server-sent-events.ts';

/**
 * Returns the HTTP response with a body that records the call when the agent has read or cancelled
 * it, without the events that are hidden from the agent. The provider's body is read only as the
 * agent reads: a second reader would keep a stream going that the agent cancels.
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

const contentOf = (headers: Headers, watch: ActiveObservation): BodyContent =>
  headers.get('content-type')?.startsWith('text/event-stream')
    ? serverSentEvents(watch)
    : wholeResponse(watch);

/** A byte stream, as the body of every response is: agents may read it into their own buffers. */
function observeBytes(
  body: ReadableStream<Uint8Array>,
  watch: ActiveObservation,
  content: BodyContent,
): ReadableStream<Uint8Array> {
  let source: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let failure: { error: unknown } | undefined;
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      if (failure) throw failure.error;
      source ??= body.getReader();
      try {
        for (;;) {
          const { value, done } = await source.read();
          if (done) break;
          if (passOn(controller, content.add(value))) return;
        }
        passOn(controller, content.end());
        watch.finish();
        controller.close();
        // A read into a buffer of the agent otherwise waits for bytes.
        controller.byobRequest?.respond(0);
      } catch (error) {
        const rest = content.end();
        // The provider charges for the events of a stream that has begun.
        if (watch.firstAt === undefined) watch.fail(error);
        watch.finish();
        // A stream that fails discards its bytes, so it fails when they have been read.
        if (!passOn(controller, rest)) throw error;
        failure = { error };
      }
    },
    cancel(reason) {
      watch.finish();
      return (source ?? body).cancel(reason);
    },
  });
}

/** Passes a copy on, because the stream takes over its buffer. Returns false without bytes. */
function passOn(controller: ReadableByteStreamController, bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  controller.enqueue(new Uint8Array(bytes));
  return true;
}

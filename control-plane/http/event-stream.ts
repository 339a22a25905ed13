import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { writeHead } from './head.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'X-Accel-Buffering': 'no',
};

export const isStream = (output: unknown): output is AsyncIterable<unknown> =>
  typeof output === 'object' && output !== null && Symbol.asyncIterator in output;

/**
 * Sends server-sent events. An error before the first event is thrown and becomes an ordinary
 * response with its status. A later error is sent as the last event, converted by `describe`. If
 * the client disconnects, the events end.
 */
export async function sendEvents(
  response: ServerResponse,
  schema: z.ZodType,
  events: AsyncIterable<unknown>,
  describe: (error: unknown) => object,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  // `no-transform` and nginx's own header keep proxies from buffering or compressing events.
  response.setHeader('Cache-Control', 'no-store, no-transform');
  writeHead(response, 200, HEADERS).flushHeaders();
  try {
    await pipeline(Readable.from(frames(first, iterator, schema, describe)), response);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* frames(
  first: IteratorResult<unknown>,
  iterator: AsyncIterator<unknown>,
  schema: z.ZodType,
  describe: (error: unknown) => object,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next())
      yield frame(z.encode(schema, next.value));
  } catch (error) {
    yield frame(describe(error));
  } finally {
    await iterator.return?.();
  }
}

/** Formats an event. JSON has no raw line breaks, so one `data:` line is sufficient. */
const frame = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

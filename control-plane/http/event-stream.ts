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
 * Answers server-sent events. An error before the first is thrown, so that it becomes an ordinary
 * answer with its status; later ones are told as the last event, by `describe`. A client that goes
 * away ends the events.
 */
export async function sendEvents(
  response: ServerResponse,
  schema: z.ZodType,
  events: AsyncIterable<unknown>,
  describe: (error: unknown) => object,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  // `no-transform` and nginx's own header: what gathers or compresses would hold events back.
  response.setHeader('Cache-Control', 'no-store, no-transform');
  writeHead(response, 200, HEADERS).flushHeaders();
  try {
    await pipeline(Readable.from(lines(first, iterator, schema, describe)), response);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* lines(
  first: IteratorResult<unknown>,
  iterator: AsyncIterator<unknown>,
  schema: z.ZodType,
  describe: (error: unknown) => object,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next())
      yield line(z.encode(schema, next.value));
  } catch (error) {
    yield line(describe(error));
  } finally {
    await iterator.return?.();
  }
}

/** JSON holds no line breaks of its own, so one `data:` line is one event. */
const line = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

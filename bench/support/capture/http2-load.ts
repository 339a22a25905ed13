import type { Duplex } from 'node:stream';
import {
  acknowledgement,
  createFrameReader,
  createMessage,
  END_STREAM,
  type Field,
  type Frame,
  frameType,
  headerBlocks,
  openingFrames,
  PREFACE,
} from './http2-frames.ts';
import { CAPTURED, CHAT_PATH, chatAnswer, chatBody } from './traffic.ts';

const requestFields: Field[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', CAPTURED],
  [':path', CHAT_PATH],
  ['authorization', `Bearer sk-${'a1'.repeat(20)}`],
  ['user-agent', 'OpenAI/JS 6.1.0'],
  ['accept', 'application/json'],
  ['content-type', 'application/json'],
  ['content-length', String(chatBody.length)],
];

const answerFields: Field[] = [
  [':status', '200'],
  ['content-type', 'application/json'],
  ['content-length', String(chatAnswer.length)],
  ['server', 'cloudflare'],
  ['x-request-id', 'req_7f3c2d1be9a04c58a1d2'],
];

const messages = (fields: readonly Field[], body: Buffer) => {
  const { first, next } = headerBlocks(fields);
  return { first: createMessage(first, body), next: createMessage(next, body) };
};
const requests = messages(requestFields, chatBody);
const answers = messages(answerFields, chatAnswer);

/**
 * Sends requests over one connection, `atOnce` of them concurrently. The next one follows each
 * response.
 */
export function sendRequests(stream: Duplex, atOnce: number, onAnswer: () => void): void {
  let nextId = 1;
  const request = (): Buffer => {
    const id = nextId;
    nextId += 2;
    return (id === 1 ? requests.first : requests.next)(id);
  };
  const read = createFrameReader((frame) => {
    if (frame.type === frameType.resetStream) throw new Error('a stream was reset');
    acknowledge(stream, frame);
    if (!endsMessage(frame)) return;
    onAnswer();
    stream.write(request());
  });
  stream.on('data', read);
  stream.write(Buffer.concat([PREFACE, openingFrames()]));
  for (let i = 0; i < atOnce; i += 1) stream.write(request());
}

/** Responds to every request of a connection. */
export function answerRequests(stream: Duplex): void {
  let left = PREFACE.length;
  let answered = 0;
  const read = createFrameReader((frame) => {
    acknowledge(stream, frame);
    if (!endsMessage(frame)) return;
    stream.write((answered === 0 ? answers.first : answers.next)(frame.streamId));
    answered += 1;
  });
  stream.on('data', (chunk: Buffer) => {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    read(chunk.subarray(skipped));
  });
  stream.write(openingFrames());
}

const endsMessage = ({ type, flags }: Frame): boolean =>
  (flags & END_STREAM) !== 0 && (type === frameType.data || type === frameType.headers);

function acknowledge(stream: Duplex, frame: Frame): void {
  const answer = frame.streamId === 0 ? acknowledgement(frame) : null;
  if (answer) stream.write(answer);
}

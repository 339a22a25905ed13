import type { ServerHttp2Stream } from 'node:http2';
import { ApiError } from '#contract/errors.ts';
import { decompress, isTooLarge } from '../../http/decompress.ts';

/** The maximum size after decompression, the same as over HTTP. */
const LIMIT = 10 * 1024 * 1024;
/** One byte says whether the message is compressed, and four bytes hold its length. */
const PREFIX_LENGTH = 5;

/**
 * Reads the one message of a unary call, which is uncompressed, or compressed with gzip if
 * `encoding` says so.
 *
 * @throws ApiError
 */
export async function readMessage(stream: ServerHttp2Stream, encoding = 'identity') {
  const data = await collect(stream);
  if (data.length < PREFIX_LENGTH) throw malformed('it contains no message');
  const message = data.subarray(PREFIX_LENGTH);
  if (data.readUInt32BE(1) !== message.length)
    throw malformed('it contains more or less than one message');
  if (data[0] === 0) return message;
  if (encoding !== 'gzip')
    throw new ApiError(
      'unsupported_media_type',
      `unsupported grpc-encoding ${JSON.stringify(encoding)}: expected identity or gzip`,
    );
  try {
    return await decompress(message, 'gzip', LIMIT);
  } catch (error) {
    throw isTooLarge(error) ? tooLarge() : malformed((error as Error).message);
  }
}

/** Frames a message, uncompressed. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_LENGTH);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function collect(stream: ServerHttp2Stream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > LIMIT + PREFIX_LENGTH) reject(tooLarge());
      else chunks.push(chunk);
    });
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', (error) => reject(malformed(error.message)));
    stream.on('close', () => reject(malformed('the stream was closed before its end')));
  });
}

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', 'the message is larger than 10mb');

const malformed = (reason: string): ApiError =>
  new ApiError('malformed_request', `the call could not be read: ${reason}`);

import { crc32 } from '../stream-formats/aws-event-stream.ts';

export interface AwsMessage {
  headers: Readonly<Record<string, string>>;
  payload: object;
}

/** Encodes messages in AWS's format. */
export const encodeAwsEventStream = (messages: readonly AwsMessage[]): Uint8Array =>
  Uint8Array.from(Buffer.concat(messages.map(encodeMessage)));

/** An event of InvokeModelWithResponseStream; `p` is padding. */
export const bedrockChunk = (event: object): object => ({
  bytes: Buffer.from(JSON.stringify(event)).toString('base64'),
  p: 'abcdefghijkl',
});

function encodeMessage({ headers, payload }: AwsMessage): Buffer {
  // One header of each non-text type precedes the headers that are read.
  const others = [
    header('flag', 0),
    header('time', 8, Buffer.alloc(8)),
    header('id', 9, Buffer.alloc(16)),
  ];
  const texts = Object.entries(headers).map(([name, value]) => header(name, 7, lengthFirst(value)));
  const head = Buffer.concat([...others, ...texts]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([uint32(head.length + body.length + 16), uint32(head.length)]);
  const beginning = Buffer.concat([lengths, uint32(crc32(lengths)), head, body]);
  return Buffer.concat([beginning, uint32(crc32(beginning))]);
}

const header = (name: string, type: number, value: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([type]), value]);

function lengthFirst(text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

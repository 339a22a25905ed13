export interface MessageEvents {
  body?: (bytes: number) => void;
  end: (head: string) => void;
}

const NOTHING = Buffer.alloc(0);

/** Reads the messages of one side, which all have a length, with as little work as possible. */
export function createMessageReader({ body, end }: MessageEvents): (chunk: Buffer) => void {
  let before: Buffer = NOTHING;
  let head = '';
  let left = 0;

  const readHead = (bytes: Buffer): Buffer => {
    const stop = bytes.indexOf('\r\n\r\n');
    if (stop < 0) {
      before = bytes;
      return NOTHING;
    }
    head = bytes.toString('latin1', 0, stop);
    left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (left === 0) finish();
    return bytes.subarray(stop + 4);
  };

  const readBody = (bytes: Buffer): Buffer => {
    const count = Math.min(left, bytes.length);
    left -= count;
    body?.(count);
    if (left === 0) finish();
    return bytes.subarray(count);
  };

  const finish = (): void => {
    const ended = head;
    head = '';
    end(ended);
  };

  return (chunk) => {
    let bytes = before.length > 0 ? Buffer.concat([before, chunk]) : chunk;
    before = NOTHING;
    while (bytes.length > 0) bytes = head === '' ? readHead(bytes) : readBody(bytes);
  };
}

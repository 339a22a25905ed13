import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressFamily,
  dumpRequest,
  eachSocketMessage,
  emptyRecord,
  endpointsOf,
  localAddressOf,
  readRecord,
  remoteAddressOf,
  tcpState,
} from './sock-diag-message.ts';
import { openSockDiag } from './sock-diag-socket.ts';
import { payloadReceived, payloadSent } from './describe-socket.ts';

test('any bytes are read to their end', () => {
  const record = emptyRecord();
  const header = fc.tuple(
    fc.nat(300),
    fc.constantFrom(2, 3, 20),
    fc.uint8Array({ maxLength: 400 }),
  );
  fc.assert(
    fc.property(header, ([size, type, rest]) => {
      const bytes = Uint8Array.of(size & 255, size >> 8, 0, 0, type, 0, ...rest);
      const view = new DataView(bytes.buffer);
      const end = eachSocketMessage(view, bytes.length, (at, to) =>
        readRecord(view, at, to, record),
      );
      expect(['more', 'done', 'refused']).toContain(end);
    }),
  );
});

test('requests a family, a protocol and states', () => {
  const bytes = dumpRequest(addressFamily.v6, 'tcp', 1 << tcpState.established);
  expect([bytes.length, bytes[16], bytes[17], bytes[20]]).toEqual([72, 10, 6, 2]);
});

describe.skipIf(process.platform !== 'linux')('from the kernel of this machine', () => {
  test.each([
    ['127.0.0.1', addressFamily.v4],
    ['::1', addressFamily.v6],
  ])('a connection over %s is in the dump, and can be queried alone', async (address, family) => {
    const server = createServer((socket) => socket.end('12345')).listen(0, address);
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, address);
    client.write('123');
    client.resume();
    await once(client, 'end');
    const diag = openSockDiag();
    if ('error' in diag) throw new Error(diag.error);

    const found: unknown[] = [];
    const listed = diag.dump(family, 'tcp', 0xfff, (record, bytes, at) => {
      // Connections that have ended on the same port are in TIME_WAIT, without an inode.
      if (record.localPort !== client.localPort || record.inode === 0) return;
      const { cookie, inode, uid } = record;
      found.push([localAddressOf(bytes, at, family), remoteAddressOf(bytes, at, family), uid]);
      // A query during a dump; in the real source it uses a separate socket.
      const ends = endpointsOf(bytes, at, record);
      const second = openSockDiag();
      if ('error' in second) throw new Error(second.error);
      second.find('tcp', ends, (same) =>
        found.push([same.cookie === cookie, same.inode === inode]),
      );
      second.close();
      found.push([payloadSent(record), payloadReceived(record)]);
    });
    expect(listed).toBe('done');
    expect(found).toEqual([
      [address, address, process.getuid?.()],
      [true, true],
      [3, 5],
    ]);
    client.destroy();
    server.close();
    diag.close();
  });
});

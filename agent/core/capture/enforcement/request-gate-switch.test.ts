import { expect, test } from 'vitest';
import { bytesOf, textOf } from '../wire/testing/recorder.ts';
import { createCopyBudget } from '../wire/copy-budget.ts';
import { createRequestGate } from './request-gate.ts';

/** Returns what the server gets and the reasons to give up. */
function exchange(request: string, response: string) {
  const seen = { toServer: '', givenUp: [] as string[] };
  const gate = createRequestGate({
    holds: () => false,
    maxBodyBytes: 1000,
    budget: createCopyBudget(1000),
    onRead: () => undefined,
    toServer: (bytes) => (seen.toServer += textOf(bytes)),
    toClient: () => undefined,
    onHeld: () => undefined,
    onResume: () => undefined,
    onClosed: () => undefined,
    onGivenUp: (reason) => seen.givenUp.push(reason),
  });
  gate.fromClient(bytesOf(`${request}\r\n\r\n`));
  gate.fromServer(bytesOf(`${response}\r\n\r\n`));
  gate.fromClient(bytesOf('anything'));
  return seen;
}

test.each([
  ['CONNECT a:443 HTTP/1.1', 'HTTP/1.1 200 OK'],
  ['GET / HTTP/1.1\r\nUpgrade: h2c, websocket', 'HTTP/1.1 101 Switching\r\nUpgrade: h2c'],
  ['GET /socket HTTP/1.1\r\nUpgrade: websocket', 'HTTP/1.1 101 Switching'],
])('a connection that continues in another protocol is reported: %j', (request, response) => {
  expect(exchange(request, response)).toEqual({
    toServer: `${request}\r\n\r\nanything`,
    givenUp: ['it continues in another protocol'],
  });
});

test('a WebSocket of an API without calls passes without a report', () => {
  const upgrade = 'Upgrade: WebSocket';
  const { givenUp } = exchange(`GET /x HTTP/1.1\r\n${upgrade}`, `HTTP/1.1 101 S\r\n${upgrade}`);
  expect(givenUp).toEqual([]);
});

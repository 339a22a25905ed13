import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Answers each connection with 1,000 bytes, and closes it after the client has closed. */
export const SERVER_PROGRAM = `
const { createServer } = require('node:net');
createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {}).on('end', () => socket.end()).resume();
  socket.write(Buffer.alloc(1000));
}).listen(7001, '::', () => console.log('ready'));`;

/** Sends 500 bytes, reads 1,000, prints a line and then closes or resets according to its input. */
export const CLIENT_PROGRAM = `
const { connect } = require('node:net');
const [host, port, localPort] = process.argv.slice(1);
const socket = connect({ host, port: Number(port), ...(localPort && { localPort: Number(localPort) }) });
let received = 0;
socket.on('data', (data) => {
  received += data.length;
  if (received === 1000) console.log('ready ' + socket.localPort);
});
socket.write(Buffer.alloc(500));
process.stdin.on('data', (text) => String(text).includes('reset') ? socket.resetAndDestroy() : socket.end());
socket.on('close', () => process.stdin.destroy());`;

/** Answers every DNS query with one A record for the given address. */
export const DNS_PROGRAM = `
const address = process.argv[1].split('.').map(Number);
const server = require('node:dgram').createSocket('udp4');
server.on('message', (query, from) => {
  const answer = Buffer.concat([query.subarray(0, 12), query.subarray(12, query.indexOf(0, 12) + 5),
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, ...address])]);
  answer.writeUInt16BE(0x8180, 2);
  answer.writeUInt16BE(1, 6);
  answer.writeUInt32BE(0, 8);
  server.send(answer, from.port, from.address);
}).bind(53, () => console.log('ready'));`;

/** Returns the first output of a program, which shows that it has started. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the program has no output');
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  return data.toString().trim();
}

export async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

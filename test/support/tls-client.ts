import { connect } from 'node:tls';

/**
 * A program: `tls-client.ts ADDRESS SERVERNAME STAY BYTES…` opens one connection per number, sends
 * that many bytes and waits until they are echoed. It closes the connection after STAY
 * milliseconds, or when its standard input ends if STAY is `input`.
 */
const [address = '', servername = '', stay = '', ...sizes] = process.argv.slice(2);

for (const size of sizes.map(Number)) await exchange(size);

function exchange(size: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: 443, servername, rejectUnauthorized: false });
    let received = 0;
    socket.on('secureConnect', () => socket.write(Buffer.alloc(size, 'x')));
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received < size) return;
      if (stay === 'input') process.stdin.once('end', () => socket.end()).resume();
      else setTimeout(() => socket.end(), Number(stay));
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

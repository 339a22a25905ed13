import { readFileSync } from 'node:fs';
import { createServer } from 'node:tls';

/** A program: `echo-server.ts ADDRESS KEY CERTIFICATE` echoes all data on port 443. */
const [address = '', key = '', certificate = ''] = process.argv.slice(2);

const server = createServer(
  { key: readFileSync(key), cert: readFileSync(certificate) },
  (socket) => {
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  },
);
server.listen(443, address, () => process.stdout.write('listening\n'));

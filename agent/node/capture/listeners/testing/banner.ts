import type { Socket } from 'node:net';

/** Sends the name of the responder, as an HTTP server would, and then echoes. */
export function sendBanner(name: string, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-length: ${name.length}\r\nconnection: close\r\n\r\n${name}`,
  );
  socket.pipe(socket);
}

/** Returns the name of the responder. */
export async function readBanner(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const [, length, name] = /content-length: (\d+)[^]*\r\n\r\n([^]*)$/.exec(text) ?? [];
    if (name !== undefined && name.length === Number(length)) return name;
  }
  return `${text}closed`;
}

import type { Socket } from 'node:net';

/** Says who answers, as an HTTP server would, and then echoes. */
export function answerAs(who: string, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-length: ${who.length}\r\nconnection: close\r\n\r\n${who}`,
  );
  socket.pipe(socket);
}

/** Who has answered. */
export async function readAnswer(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const [, length, who] = /content-length: (\d+)[^]*\r\n\r\n([^]*)$/.exec(text) ?? [];
    if (who !== undefined && who.length === Number(length)) return who;
  }
  return `${text}closed`;
}

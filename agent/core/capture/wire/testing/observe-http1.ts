import type { ObservedExchange } from '../exchange.ts';
import { type Transmission, replay } from './conversation.ts';
import { bytesOf, record, type Recorder, textOf } from './recorder.ts';

/** Parses lines of a conversation: `>` is from the client, `<` from the server. */
export function conversationOf(lines: readonly string[]): Transmission[] {
  return lines.map((line) => ({
    from: line.startsWith('>') ? 'client' : 'server',
    bytes: bytesOf(line.slice(1)),
  }));
}

export function observe(...lines: string[]): Recorder {
  const recorder = record('http/1.1');
  replay(recorder.observer, conversationOf(lines));
  return recorder;
}

/** Summarizes an exchange in a line: request and response. */
export function summary({
  method,
  target,
  request,
  status,
  response,
  aborted,
}: ObservedExchange): string {
  const text = (parts: readonly Uint8Array[] = []) => parts.map(textOf).join('');
  const requestText = `${method} ${target} [${text(request.beginning)}]${request.complete ? '' : '…'}`;
  const responseText = response
    ? `${status} [${text(response.beginning)}]${response.complete ? '' : '…'}`
    : 'nothing';
  return `${requestText} -> ${responseText}${aborted ? ' aborted' : ''}`;
}

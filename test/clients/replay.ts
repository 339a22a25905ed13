import type { TestControlPlane } from '../support/control-plane.ts';
import type { Recording } from './try-client.ts';

/**
 * Replays a recording. The responses of all clients have the same ids, which no other test uses.
 */
export async function replay(
  { byKey }: Pick<TestControlPlane, 'byKey'>,
  recording: Recording,
): Promise<void> {
  const routes = { traces: byKey.otel.exportTraces, logs: byKey.otel.exportLogs };
  const text = JSON.stringify(recording.requests).replaceAll(
    /\b(chatcmpl-|msg_|resp_|gemini-)0{15,}/g,
    `$1${recording.client}-`,
  );
  for (const { signal, body } of JSON.parse(text) as Recording['requests'])
    await routes[signal]({ body });
}

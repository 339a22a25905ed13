/**
 * Parses the events of a `text/event-stream` response, each as JSON. Stopping early ends the
 * request.
 */
export async function* readEvents(response: Response): AsyncGenerator {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const events = (rest + chunk.value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
    }
  } finally {
    await reader.cancel();
  }
}

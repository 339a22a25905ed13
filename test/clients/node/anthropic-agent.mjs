import { getWeather, instructions } from './scenario.mjs';

const tools = [
  {
    name: 'get_weather',
    description: 'The weather of a city',
    input_schema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
];

/** An agent of two calls with the Anthropic client. */
export async function messagesAgent(client, question) {
  const messages = [{ role: 'user', content: question }];
  for (;;) {
    const { content } = await client.messages.create({
      model: 'claude-sonnet-4-6',
      max_tokens: 500,
      system: instructions,
      messages,
      tools,
    });
    const uses = content.filter(({ type }) => type === 'tool_use');
    if (uses.length === 0) return content[0].text;
    messages.push(
      { role: 'assistant', content },
      {
        role: 'user',
        content: uses.map(({ id, input }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: getWeather(input),
        })),
      },
    );
  }
}

// Definitions shared by the scripts of all clients.
export const scenario = JSON.parse(process.env.SCENARIO);
export const { agent, instructions, session, user, tag } = scenario;
export const modelUrl = `${process.env.MODEL_URL}/v1`;
export const modelKey = process.env.MODEL_KEY;

export function getWeather({ city }) {
  if (city !== scenario.toolArguments.city) throw new Error(`another city: ${city}`);
  return scenario.toolResult;
}

/** Sends both questions; the second one fails. */
export async function turns(ask) {
  const answer = await ask(scenario.question);
  if (!String(answer).includes(scenario.answer)) throw new Error(`unexpected answer: ${answer}`);
  await ask(scenario.refusedQuestion).catch((error) => {
    if (!String(error).includes(scenario.refusal))
      process.stderr.write(`another failure: ${error}\n`);
  });
}

/** An agent of two calls with the OpenAI client. */
export async function chatAgent(client, question) {
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: question },
  ];
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  };
  const tools = [
    {
      type: 'function',
      function: { name: 'get_weather', description: 'The weather of a city', parameters },
    },
  ];
  for (;;) {
    const response = await client.chat.completions.create({ model: 'gpt-4o', messages, tools });
    const { message } = response.choices[0];
    if (!message.tool_calls) return message.content;
    messages.push(message);
    for (const call of message.tool_calls)
      messages.push({
        role: 'tool',
        tool_call_id: call.id,
        content: getWeather(JSON.parse(call.function.arguments)),
      });
  }
}

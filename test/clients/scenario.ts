import type { Question, Reply, Usage } from './provider/wire.ts';

/**
 * The scenario that every client of the table runs: an agent gets a prompt, its model requests a
 * tool, receives the result, and responds; then the agent gets a prompt that the provider rejects.
 * The texts and numbers occur nowhere else, so that an export without them has never contained
 * them.
 */
export const scenario = {
  agent: 'weather_agent',
  instructions: 'You are a terse meteorologist.',
  question: 'How warm is it in Reykjavik?',
  refusedQuestion: 'This-question-is-refused-4711',
  refusal: 'refused-by-the-stand-in-4711',
  tool: 'get_weather',
  toolArguments: { city: 'Reykjavik-4711' },
  toolResult: 'drizzle-4711 at 7 degrees',
  answer: 'It is 7 degrees in Reykjavik, with answer-4711.',
  session: 'session-4711-a',
  user: 'ada-4711@example.test',
  tag: 'tag-4711-blue',
} as const;

/** The id of the key that signs requests to Bedrock. */
export const AWS_KEY_ID = 'AKIACLIENTS123456789';
export const MODEL_KEY = 'sk-clients-0123456789abcdefghij';

/** The environment variables that describe the scenario to the script of a client. */
export const scenarioEnvironment = (providerUrl: string): Record<string, string> => ({
  SCENARIO: JSON.stringify(scenario),
  MODEL_KEY,
  MODEL_URL: providerUrl,
  OPENAI_API_KEY: MODEL_KEY,
  OPENAI_BASE_URL: `${providerUrl}/v1`,
  ANTHROPIC_API_KEY: MODEL_KEY,
  ANTHROPIC_BASE_URL: providerUrl,
  GOOGLE_API_KEY: MODEL_KEY,
  GEMINI_API_KEY: MODEL_KEY,
  GOOGLE_GEMINI_BASE_URL: providerUrl,
  AWS_ACCESS_KEY_ID: AWS_KEY_ID,
  AWS_SECRET_ACCESS_KEY: MODEL_KEY,
});

const toolCallUsage: Usage = {
  input: 1103,
  cacheRead: 641,
  cacheWrite: 0,
  output: 227,
  reasoning: 83,
};
const finalUsage: Usage = {
  input: 1571,
  cacheRead: 907,
  cacheWrite: 0,
  output: 311,
  reasoning: 101,
};

/** The fields that a module of DSPy requires in its system prompt, in its own format. */
function dspyStep(system: string, hasToolResult: boolean): string | undefined {
  const field = (name: string, value: string): string => `[[ ## ${name} ## ]]\n${value}\n\n`;
  const end = '[[ ## completed ## ]]';
  if (system.includes('[[ ## next_tool_name ## ]]'))
    return [
      field('next_thought', 'The weather decides.'),
      field('next_tool_name', hasToolResult ? 'finish' : scenario.tool),
      field('next_tool_args', JSON.stringify(hasToolResult ? {} : scenario.toolArguments)),
      end,
    ].join('');
  return system.includes('[[ ## answer ## ]]')
    ? `${field('reasoning', 'The tool knows.')}${field('answer', scenario.answer)}${end}`
    : undefined;
}

/** The response of the model; undefined if it rejects the request. */
export function replyTo(question: Question, number: number): Reply | undefined {
  const { texts, tools } = question;
  // Some frameworks send the tool result as a text of the user.
  const hasToolResult =
    question.hasToolResult || texts.some((text) => text.includes(scenario.toolResult));
  if (texts.some((text) => text.includes(scenario.refusedQuestion))) return undefined;
  const weather = tools.find((name) => /weather/i.test(name));
  if (weather !== undefined && !hasToolResult)
    return {
      number,
      text: '',
      tool: { name: weather, arguments: { ...scenario.toolArguments } },
      usage: toolCallUsage,
    };
  const step = dspyStep(texts[0] ?? '', hasToolResult);
  if (step) return { number, text: step, usage: hasToolResult ? finalUsage : toolCallUsage };
  // The last step of an agent of smolagents is a tool call as well.
  const tool = tools.includes('final_answer')
    ? { name: 'final_answer', arguments: { answer: scenario.answer } }
    : undefined;
  return { number, text: scenario.answer, ...(tool && { tool }), usage: finalUsage };
}

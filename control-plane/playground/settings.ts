import type { Variant } from '#contract/playground.ts';
import type { Config } from '../config.ts';

/** Settings passed to a provider unchanged, under its own names. */
export interface Settings {
  top_p?: number;
  stop?: string | string[];
  stop_sequences?: string[];
  seed?: number;
  frequency_penalty?: number;
  presence_penalty?: number;
  tools?: object[];
  response_format?: object;
}

type Name = Exclude<keyof Settings, 'stop_sequences'>;

const supported: Record<Config['llm']['provider'], readonly Name[]> = {
  openai: [
    'top_p',
    'stop',
    'seed',
    'frequency_penalty',
    'presence_penalty',
    'tools',
    'response_format',
  ],
  anthropic: ['top_p', 'stop', 'tools'],
};

/**
 * Returns the settings of a prompt's config that the provider supports, except for model,
 * temperature and limit, and the names of all other members. Null members are ignored.
 */
export function settingsFor(
  provider: Config['llm']['provider'],
  { model: _model, temperature: _temperature, max_tokens: _limit, ...others }: Variant['config'],
): { settings: Settings; ignored: string[] } {
  const members = Object.entries(others).filter(
    ([, value]) =>
      // Providers reject an empty list of tools.
      value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  const isSupported = ([name]: [string, unknown]): boolean =>
    supported[provider].includes(name as Name);
  const settings = Object.fromEntries(members.filter(isSupported)) as Settings;
  const ignored = members.filter((member) => !isSupported(member)).map(([name]) => name);
  return { settings: provider === 'anthropic' ? inAnthropicWords(settings) : settings, ignored };
}

const inAnthropicWords = ({ stop, tools, ...rest }: Settings): Settings => ({
  ...rest,
  ...(stop !== undefined && { stop_sequences: [stop].flat() }),
  ...(tools && { tools: tools.map(asAnthropicTool) }),
});

interface FunctionTool {
  type?: unknown;
  function?: { name?: unknown; description?: unknown; parameters?: unknown };
}

/** Converts a function from OpenAI's form. Tools in Anthropic's form are returned unchanged. */
function asAnthropicTool(tool: FunctionTool): object {
  if (tool.type !== 'function' || typeof tool.function !== 'object') return tool;
  const { name, description, parameters } = tool.function;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: 'object' },
  };
}

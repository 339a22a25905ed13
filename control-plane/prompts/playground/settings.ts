import type { Variant } from '#contract/playground.ts';
import type { Config } from '../../config.ts';

/** Settings passed to a provider unchanged, under its own names. */
export interface Settings {
  top_p?: number;
  stop?: string | string[];
  stop_sequences?: string[];
  seed?: number;
  frequency_penalty?: number;
  presence_penalty?: number;
}

type Name = Exclude<keyof Settings, 'stop_sequences'>;

const supported: Record<Config['llm']['provider'], readonly Name[]> = {
  openai: ['top_p', 'stop', 'seed', 'frequency_penalty', 'presence_penalty'],
  anthropic: ['top_p', 'stop'],
};

/**
 * The settings of a prompt's config that the provider supports, apart from model, temperature and
 * limit, and the names of all other members. Null members are ignored.
 */
export function settingsFor(
  provider: Config['llm']['provider'],
  { model: _model, temperature: _temperature, max_tokens: _limit, ...others }: Variant['config'],
): { settings: Settings; ignored: string[] } {
  const members = Object.entries(others).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const isSupported = ([name]: [string, unknown]): boolean =>
    supported[provider].includes(name as Name);
  const settings = Object.fromEntries(members.filter(isSupported)) as Settings;
  const ignored = members.filter((member) => !isSupported(member)).map(([name]) => name);
  return { settings: provider === 'anthropic' ? inAnthropicWords(settings) : settings, ignored };
}

const inAnthropicWords = ({ stop, ...rest }: Settings): Settings =>
  stop === undefined ? rest : { ...rest, stop_sequences: [stop].flat() };

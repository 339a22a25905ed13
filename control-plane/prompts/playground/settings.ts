import type { Variant } from '#contract/playground.ts';
import type { Config } from '../../config.ts';

/** Settings that a provider is told as they are, in its words. */
export interface Settings {
  top_p?: number;
  stop?: string | string[];
  stop_sequences?: string[];
  seed?: number;
  frequency_penalty?: number;
  presence_penalty?: number;
}

type Name = Exclude<keyof Settings, 'stop_sequences'>;

const known: Record<Config['llm']['provider'], readonly Name[]> = {
  openai: ['top_p', 'stop', 'seed', 'frequency_penalty', 'presence_penalty'],
  anthropic: ['top_p', 'stop'],
};

/**
 * What of a prompt's config the provider is told beside model, temperature and limit, and the names
 * of all else that the config holds. A member that is null says nothing.
 */
export function settingsFor(
  provider: Config['llm']['provider'],
  { model: _model, temperature: _temperature, max_tokens: _limit, ...others }: Variant['config'],
): { settings: Settings; ignored: string[] } {
  const given = Object.entries(others).filter(([, value]) => value !== null && value !== undefined);
  const isKnown = ([name]: [string, unknown]): boolean => known[provider].includes(name as Name);
  const settings = Object.fromEntries(given.filter(isKnown)) as Settings;
  const ignored = given.filter((member) => !isKnown(member)).map(([name]) => name);
  return { settings: provider === 'anthropic' ? inAnthropicWords(settings) : settings, ignored };
}

const inAnthropicWords = ({ stop, ...rest }: Settings): Settings =>
  stop === undefined ? rest : { ...rest, stop_sequences: [stop].flat() };

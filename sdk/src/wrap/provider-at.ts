/** Host names of APIs, with the provider's name in the control plane's price table. */
const providers: readonly (readonly [suffix: string, provider: string])[] = [
  ['api.openai.com', 'openai'],
  ['.openai.azure.com', 'azure'],
  ['.services.ai.azure.com', 'azure'],
  ['api.anthropic.com', 'anthropic'],
  ['openrouter.ai', 'openrouter'],
  ['api.groq.com', 'groq'],
  ['api.mistral.ai', 'mistral'],
  ['api.deepseek.com', 'deepseek'],
  ['api.x.ai', 'x-ai'],
  ['api.together.xyz', 'together'],
  ['api.together.ai', 'together'],
  ['api.fireworks.ai', 'fireworks'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.cerebras.ai', 'cerebras'],
  ['api.moonshot.ai', 'moonshotai'],
  ['api.z.ai', 'zai'],
  ['generativelanguage.googleapis.com', 'google'],
  ['aiplatform.googleapis.com', 'google'],
  ['.amazonaws.com', 'aws'],
];

/**
 * The provider of an API's URL. Undefined for other hosts, such as gateways, whose provider is set
 * with the option `provider`.
 */
export function providerAt(baseUrl: unknown): string | undefined {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return undefined;
  const host = `.${new URL(baseUrl).hostname}`;
  return providers.find(([suffix]) =>
    host.endsWith(suffix.startsWith('.') ? suffix : `.${suffix}`),
  )?.[1];
}

/** Providers of models whose interface is at `https://api.…`. */
const providers = String.raw`openai\.com|anthropic\.com|mistral\.ai|groq\.com\/openai|deepseek\.com|x\.ai\/v1|perplexity\.ai|cohere\.(?:ai|com)\/v\d|together\.(?:ai|xyz)\/v1|moonshot\.(?:cn|ai)\/v1|siliconflow\.(?:cn|com)\/v1|fireworks\.ai\/inference|cerebras\.ai\/v1|elevenlabs\.io\/v1|deepgram\.com\/v1|assemblyai\.com\/v2|githubcopilot\.com`;

const address = new RegExp(
  String.raw`https:\/\/(?:(?:api\.(?:${providers}))(?![\w.-])|generativelanguage\.googleapis\.com|openrouter\.ai\/api)|http:\/\/(?:localhost|127\.0\.0\.1):11434(?!\d)`,
);

/**
 * A part of each address that is rare elsewhere. Searching for these is several times as fast as
 * the expression above.
 */
const anchors = ['://api.', '://generativelanguage.', '://openrouter.', ':11434'].map((text) =>
  Buffer.from(text),
);

/** The longest distance from an anchor to either end of an address. */
const REACH = 48;

/** Chunks of a file must overlap by this, so that no address is cut. */
export const ADDRESS_LENGTH = 2 * REACH;

/**
 * The first address of an interface to language models in a program's code. Only complete addresses
 * count: filters and firewalls have lists of hosts.
 */
export function modelAddressIn(code: Buffer): string | undefined {
  for (const anchor of anchors)
    for (let at = code.indexOf(anchor); at >= 0; at = code.indexOf(anchor, at + 1)) {
      const text = code.toString('latin1', Math.max(0, at - REACH), at + REACH);
      const found = address.exec(text)?.[0];
      if (found !== undefined) return found;
    }

  return undefined;
}

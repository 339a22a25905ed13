export interface Options {
  /** `SVC_API_KEY` unless given. */
  apiKey?: string;
  /** The address of the control plane; `SVC_API_URL` unless given. */
  baseUrl?: string;
  /** `SVC_OBSERVE=false` or false here switches everything off; every check then passes. */
  enabled?: boolean;
  /**
   * Whether prompt and response previews, and the arguments and results of observed functions, are
   * sent. `SVC_CAPTURE_CONTENT` unless given; off by default.
   */
  captureContent?: boolean;
  /** Names runs whose own name is not given. */
  agentName?: string;
  /** How long records may wait for others to travel with. 1,000 by default. */
  flushIntervalMs?: number;
  /** How many records may wait; what comes when it is full is dropped. 50,000 by default. */
  maxQueue?: number;
  /** How long one request may take. 10,000 by default. */
  timeoutMs?: number;
  /** The wait after the first failed attempt; it doubles, to 30 s at most. 500 by default. */
  retryDelayMs?: number;
  /** Logs each request and its outcome. `SVC_DEBUG` unless given. */
  debug?: boolean;
  /** Is told of every problem that the SDK keeps from the agent. */
  onError?: (error: Error) => void;
}

export interface Settings {
  apiKey: string;
  /** Without a slash at its end. */
  baseUrl: string;
  enabled: boolean;
  captureContent: boolean;
  agentName: string;
  flushIntervalMs: number;
  maxQueue: number;
  timeoutMs: number;
  retryDelayMs: number;
  debug: boolean;
  onError: ((error: Error) => void) | undefined;
  /** What keeps the SDK from working, in one line. */
  problem: string | undefined;
}

type Environment = Record<string, string | undefined>;

/** Edge runtimes may have no `process`, and Deno may deny its environment. */
export function environment(): Environment {
  try {
    return { ...globalThis.process?.env };
  } catch {
    return {};
  }
}

/** Options win over the environment, except that either of them can switch observation off. */
export function readSettings(options: Options, env: Environment): Settings {
  const apiKey = (options.apiKey ?? env.SVC_API_KEY ?? '').trim();
  const baseUrl = (options.baseUrl ?? env.SVC_API_URL ?? '').trim().replace(/\/+$/, '');
  const wanted = options.enabled !== false && !isOff(env.SVC_OBSERVE);
  const problem = wanted ? problemOf(apiKey, baseUrl) : undefined;
  return {
    apiKey,
    baseUrl,
    enabled: wanted && problem === undefined,
    captureContent: options.captureContent ?? isOn(env.SVC_CAPTURE_CONTENT),
    agentName: options.agentName ?? 'default',
    flushIntervalMs: atLeast(0, options.flushIntervalMs, 1000),
    maxQueue: atLeast(1, options.maxQueue, 50_000),
    timeoutMs: atLeast(1, options.timeoutMs, 10_000),
    retryDelayMs: atLeast(1, options.retryDelayMs, 500),
    debug: options.debug ?? isOn(env.SVC_DEBUG),
    onError: options.onError,
    problem,
  };
}

function problemOf(apiKey: string, baseUrl: string): string | undefined {
  if (!apiKey) return 'no API key: set SVC_API_KEY, or apiKey in init()';
  // Anything else cannot travel in a header; the key itself must not appear in a message.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return 'the API key holds characters that no key has';
  if (!baseUrl) return 'no address of the control plane: set SVC_API_URL, or baseUrl in init()';
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    return `"${baseUrl}" is not an http or https address: see SVC_API_URL, or baseUrl in init()`;
  return undefined;
}

const isOff = (text: string | undefined): boolean => /^(false|0|off|no)$/i.test(text?.trim() ?? '');
const isOn = (text: string | undefined): boolean => /^(true|1|on|yes)$/i.test(text?.trim() ?? '');

const atLeast = (least: number, given: number | undefined, instead: number): number =>
  Number.isFinite(given) ? Math.max(least, given as number) : instead;

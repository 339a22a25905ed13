import type { Mask } from './recording/mask.ts';

export interface Options {
  /** Default: `SVC_API_KEY`. */
  apiKey?: string;
  /** URL of the control plane. Default: `SVC_API_URL`. */
  baseUrl?: string;
  /** False here or in `SVC_OBSERVE` disables the SDK: nothing is sent, and every check passes. */
  enabled?: boolean;
  /**
   * Enables prompt and response previews, and the arguments and results of observed functions.
   * Default: `SVC_CAPTURE_CONTENT`, otherwise false.
   */
  captureContent?: boolean;
  /** The agent name of runs that set none. */
  agentName?: string;
  /**
   * Applied to every text of prompts, responses, inputs, results, attributes and errors before it
   * is queued.
   */
  mask?: Mask;
  /**
   * The share of runs that are recorded, from 0 to 1. A child run follows its parent. Default:
   * `SVC_SAMPLE_RATE`, otherwise 1.
   */
  sampleRate?: number;
  /** The maximum delay before records are sent in a batch. Default: 1,000. */
  flushIntervalMs?: number;
  /** The maximum number of queued records. Further records are dropped. Default: 50,000. */
  maxQueue?: number;
  /** The request timeout. Default: 10,000. */
  timeoutMs?: number;
  /** The delay after the first failed attempt. It doubles up to 30 s. Default: 500. */
  retryDelayMs?: number;
  /** Logs each request and its result. Default: `SVC_DEBUG`. */
  debug?: boolean;
  /** Called for every problem, because the SDK never throws into the agent. */
  onError?: (error: Error) => void;
}

export interface Settings {
  apiKey: string;
  /** The URL without a trailing slash. */
  baseUrl: string;
  enabled: boolean;
  captureContent: boolean;
  agentName: string;
  mask: Mask | undefined;
  sampleRate: number;
  flushIntervalMs: number;
  maxQueue: number;
  timeoutMs: number;
  retryDelayMs: number;
  debug: boolean;
  onError: ((error: Error) => void) | undefined;
  /** A configuration error that disables the SDK, in one line. */
  error: string | undefined;
}

type Environment = Record<string, string | undefined>;

/**
 * The environment variables. Empty on edge runtimes without `process`, and if Deno denies access.
 */
export function environment(): Environment {
  try {
    return { ...globalThis.process?.env };
  } catch {
    return {};
  }
}

/** Options override the environment, except that either of them can disable the SDK. */
export function readSettings(options: Options, env: Environment): Settings {
  const apiKey = (options.apiKey ?? env.SVC_API_KEY ?? '').trim();
  const baseUrl = (options.baseUrl ?? env.SVC_API_URL ?? '').trim().replace(/\/+$/, '');
  const enabled = options.enabled !== false && !isOff(env.SVC_OBSERVE);
  const error = enabled ? problemOf(apiKey, baseUrl) : undefined;
  return {
    apiKey,
    baseUrl,
    enabled: enabled && error === undefined,
    captureContent: options.captureContent ?? isOn(env.SVC_CAPTURE_CONTENT),
    agentName: options.agentName ?? 'default',
    mask: options.mask,
    sampleRate: Math.min(atLeast(0, options.sampleRate ?? numberIn(env.SVC_SAMPLE_RATE), 1), 1),
    flushIntervalMs: atLeast(0, options.flushIntervalMs, 1000),
    maxQueue: atLeast(1, options.maxQueue, 50_000),
    timeoutMs: atLeast(1, options.timeoutMs, 10_000),
    retryDelayMs: atLeast(1, options.retryDelayMs, 500),
    debug: options.debug ?? isOn(env.SVC_DEBUG),
    onError: options.onError,
    error,
  };
}

function problemOf(apiKey: string, baseUrl: string): string | undefined {
  if (!apiKey) return 'no API key: set SVC_API_KEY, or apiKey in init()';
  // Other characters are invalid in a header. The message must not contain the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return 'the API key contains invalid characters';
  if (!baseUrl) return 'no control plane URL: set SVC_API_URL, or baseUrl in init()';
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    return `"${baseUrl}" is not an http or https URL: check SVC_API_URL, or baseUrl in init()`;
  return undefined;
}

const isOff = (text: string | undefined): boolean => /^(false|0|off|no)$/i.test(text?.trim() ?? '');
const isOn = (text: string | undefined): boolean => /^(true|1|on|yes)$/i.test(text?.trim() ?? '');

const numberIn = (text: string | undefined): number | undefined =>
  text?.trim() ? Number(text) : undefined;

const atLeast = (minimum: number, value: number | undefined, fallback: number): number =>
  Number.isFinite(value) ? Math.max(minimum, value as number) : fallback;

import { claudeCode } from './claude-code.ts';
import type { Client, SpanReader } from './client.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { dspy } from './dspy.ts';
import { geminiCli, qwenCode } from './gemini-cli.ts';
import { cursor } from './cursor.ts';
import { genkit } from './genkit.ts';
import { googleAdk } from './google-adk.ts';
import { goose } from './goose.ts';
import { langchainOpenInference } from './langchain-openinference.ts';
import { langchainOpenLlmetry } from './langchain-openllmetry.ts';
import { litellm } from './litellm.ts';
import { litellmOpenInference } from './litellm-openinference.ts';
import { llamaIndex } from './llama-index.ts';
import { mastra } from './mastra.ts';
import { mlflow } from './mlflow.ts';
import { openAiAgents } from './openai-agents.ts';
import { openInferenceAnthropic } from './openinference-anthropic.ts';
import { openInferencePython } from './openinference-python.ts';
import { opencode } from './opencode.ts';
import { pydanticAi } from './pydantic-ai.ts';
import { strands } from './strands.ts';

const clients: readonly Client[] = [
  claudeCode,
  cline,
  codex,
  geminiCli,
  qwenCode,
  opencode,
  goose,
  cursor,
];

const frameworks: readonly SpanReader[] = [
  dspy,
  genkit,
  googleAdk,
  langchainOpenInference,
  langchainOpenLlmetry,
  litellm,
  litellmOpenInference,
  llamaIndex,
  mastra,
  mlflow,
  openAiAgents,
  openInferenceAnthropic,
  openInferencePython,
  pydanticAi,
  strands,
];

/** Returns the framework of a scope; undefined if the scope needs no rules. */
export const frameworkOfScope = (scope: string): SpanReader | undefined =>
  frameworks.find((framework) => framework.isScope(scope));

/** Returns the client of a scope; undefined for all other programs. */
export const clientOfScope = (scope: string): Client | undefined =>
  clients.find((client) => client.isScope(scope));

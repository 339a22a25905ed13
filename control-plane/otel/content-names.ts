import { attributeAliases, splitWords } from './attribute-aliases.ts';

const texts = new Set<string>([
  ...attributeAliases.input,
  ...attributeAliases.output,
  ...attributeAliases.toolInput,
  ...attributeAliases.toolOutput,
  ...attributeAliases.query,
  ...attributeAliases.documents,
  ...splitWords(`
    gen_ai.system_instructions gen_ai.input.messages gen_ai.output.messages gen_ai.prompt
    gen_ai.completion ai.prompt ai.prompt.messages ai.value ai.values ai.embedding
    ai.embeddings ai.response.text ai.response.object ai.response.toolCalls ai.result.text
    ai.result.object ai.result.toolCalls
  `),
]);

const spread =
  /^(gen_ai\.(prompt|completion)|llm\.(input_messages|output_messages|prompts)|retrieval\.documents|reranker\.(input|output)_documents|embedding\.embeddings)\.\d/;

/** Attributes of frameworks that have their own names for inputs and outputs. */
const own =
  /^(?:mastra\.(?:\w+\.(?:input|output)|metadata\.body)|genkit:(?:input|output)|gcp\.vertex\.agent\.(?:llm_request|llm_response|tool_call_args|tool_response|data)|gen_ai\.tool\.args)$/;

/**
 * Whether an attribute contains texts of prompts, responses, tools or documents, or their
 * embeddings.
 */
export const isContent = (name: string): boolean =>
  texts.has(name) || spread.test(name) || own.test(name);

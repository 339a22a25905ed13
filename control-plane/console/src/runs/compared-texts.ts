import { t } from '@lingui/core/macro';
import type { LlmCallDetail } from '../data/llm-call-sources.ts';
import type { Run, SpanDetail, StepDetail } from '../data/run-sources.ts';
import { comparableText } from '../messages/comparable-text.ts';

/** The texts of a record by title. */
export type Texts = Readonly<Record<string, string>>;

/** Maximum length of a text: longer ones are truncated before the comparison. */
export const MAX_COMPARED = 200_000;

export const textsOfRun = ({ inputs, result, error, metadata }: Run): Texts =>
  textsOf({ [t`Inputs`]: inputs, [t`Result`]: result, [t`Error`]: error, [t`Metadata`]: metadata });

export const textsOfCall = (call: LlmCallDetail): Texts =>
  textsOf({
    [t`Prompt`]: call.prompt_preview,
    [t`Response`]: call.response_preview,
    [t`Tool calls`]: call.tool_calls?.length ? call.tool_calls : null,
  });

export const textsOfSpan = ({ input_data, output_data, attributes }: SpanDetail): Texts =>
  textsOf({ [t`Input`]: input_data, [t`Output`]: output_data, [t`Attributes`]: attributes });

export const textsOfStep = ({ output }: StepDetail): Texts => textsOf({ [t`Output`]: output });

export const textsOf = (values: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([title, value]) => [title, comparableText(value).slice(0, MAX_COMPARED)]),
  );

import type { Run } from '../data/sources.ts';
import { formatCount, formatMoney, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';

type LlmCall = Run['llm_calls'][number];

const columns: Column<LlmCall>[] = [
  { name: 'Model', cell: ({ model }) => <Clipped mono text={model} /> },
  { name: 'Task', cell: ({ task }) => <Clipped text={task || none} /> },
  { name: 'Recorded', width: 120, cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'Tokens in', width: 104, align: 'end', cell: ({ tokens_in }) => formatCount(tokens_in) },
  { name: 'Tokens out', width: 104, align: 'end', cell: (call) => formatCount(call.tokens_out) },
  { name: 'Cost', width: 96, align: 'end', cell: ({ cost }) => formatMoney(cost) },
];

export function LlmCalls({ calls }: { calls: readonly LlmCall[] }) {
  return (
    <Section
      title="LLM calls"
      count={formatCount(calls.length)}
      empty={calls.length === 0 && 'This run has called no model.'}
    >
      <DataTable
        label="LLM calls"
        columns={columns}
        rows={calls}
        rowKey={({ id }) => String(id)}
        detail={previewsOf}
      />
    </Section>
  );
}

function previewsOf({ prompt_preview, response_preview }: LlmCall) {
  if (!prompt_preview && !response_preview) return null;
  return (
    <div className="detail-body previews">
      <Preview title="Prompt" text={prompt_preview} />
      <Preview title="Response" text={response_preview} />
    </div>
  );
}

function Preview({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <p className="preview">
        <Text>{text || none}</Text>
      </p>
    </div>
  );
}

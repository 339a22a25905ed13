import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { changeOf, TextChange } from '../diff/text-change.tsx';
import { recordPair } from '../data/record-sources.ts';
import type { RecordDetail } from '../data/record-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Loaded, Notice } from '../parts/notice.tsx';
import type { AlignedRow } from './align-traces.ts';
import {
  MAX_COMPARED,
  textsOf,
  textsOfCall,
  textsOfRun,
  textsOfSpan,
  textsOfStep,
} from './compared-texts.ts';
import type { Texts } from './compared-texts.ts';
import type { TraceItem } from './trace-tree.ts';

const kindNames = {
  same: t`the same in both`,
  changed: t`different`,
  added: t`only in run B`,
  removed: t`only in run A`,
};

/** Shows the texts of two corresponding records with their differences. */
export function ComparedRecord({ row: { left, right } }: { row: AlignedRow }) {
  const reading = useQuery(recordPair(left?.item, right?.item));
  return (
    <Loaded reading={reading}>
      {([one, other]) => (
        <Changes before={allTexts(left?.item, one)} after={allTexts(right?.item, other)} />
      )}
    </Loaded>
  );
}

function Changes({ before, after }: { before: Texts; after: Texts }) {
  const titles = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (titles.length === 0)
    return (
      <p className="muted">
        <Trans>No inputs or outputs were recorded with it.</Trans>
      </p>
    );
  const isCut = [before, after].some((texts) =>
    Object.values(texts).some(({ length }) => length >= MAX_COMPARED),
  );
  return (
    <div className="stack">
      {isCut && (
        <Notice tone="warn">
          <Trans>
            Only the first {formatCount(MAX_COMPARED)} characters of a text are compared.
          </Trans>
        </Notice>
      )}
      {titles.map((title) => (
        <TextChange
          key={title}
          change={changeOf(title, before[title], after[title])}
          names={kindNames}
        />
      ))}
    </div>
  );
}

function allTexts(item: TraceItem | undefined, detail: RecordDetail): Texts {
  if (!item) return {};
  switch (detail?.kind) {
    case 'run':
      return textsOfRun(detail.run);
    case 'llm_call':
      return textsOfCall(detail.call);
    case 'span':
      return textsOfSpan(detail.span);
    case 'step':
      return textsOfStep(detail.step);
    case undefined:
      return textsOf({ [t`Action`]: item.action, [t`Reason`]: item.reason });
  }
}

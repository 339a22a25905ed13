import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { exportFormats } from '#contract/audit.ts';
import type { ExportFormat } from '#contract/audit.ts';
import { api } from '../data/api.ts';
import { datesOf } from '../data/audit-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { lengths } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { ExportProgress } from './export-progress.tsx';

interface ExportDialogProps {
  /** That the page shows: the export is of the same. */
  range: TimeRange;
  onClose: () => void;
}

const names: Record<ExportFormat, string> = { json: 'JSON', csv: 'CSV', ndjson: 'NDJSON' };

/** A file of the log, made in the background: closing this does not stop it. */
export function ExportDialog({ range, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('json');
  const [id, setId] = useState<string>();
  const { error, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      const body = { format, ...datesOf(range) };
      setId((await api.audit.startAuditExport({ body })).export_id);
    });
  };
  return (
    <Dialog title="Export the audit log" onClose={onClose}>
      {id === undefined ? (
        <form onSubmit={submit}>
          <p>Entries {describe(range)}, oldest first, by whomever and of every action.</p>
          <Choice
            label="Format"
            options={exportFormats.map((id) => ({ id, name: names[id] }))}
            value={format}
            onChange={setFormat}
          />
          <DialogActions error={error} action="Export" onClose={onClose} />
        </form>
      ) : (
        <ExportProgress id={id} onClose={onClose} />
      )}
    </Dialog>
  );
}

function describe({ since, start, end }: TimeRange): string {
  if (since) return `of the ${lengths[since].name.toLowerCase()}`;
  if (!start && !end) return 'of all time';
  return [start && `from ${start}`, end && `until ${end}`].filter(Boolean).join(' ');
}

import { useState, type SubmitEvent } from 'react';
import { exportFormats, type ExportFormat } from '#contract/audit.ts';
import { api } from '../data/api.ts';
import { datesOf, auditExport, type AuditExport } from '../data/audit-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { lengths, type TimeRange } from '../time-range.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Loaded } from '../parts/notice.tsx';

interface ExportProgressProps {
  id: string;
  onClose: () => void;
}

/** Polls until the export has completed or failed. */
export function ExportProgress({ id, onClose }: ExportProgressProps) {
  const [done, setDone] = useState(false);
  const reading = useQuery(auditExport(id, done));
  const { data } = reading;
  if (data && data.status !== 'processing' && !done) setDone(true);
  return (
    <>
      <div role="status">
        <Loaded reading={reading}>{(auditExport) => <p>{statusText(auditExport)}</p>}</Loaded>
      </div>
      {data?.status === 'processing' && <progress aria-label="Export" />}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        {data?.download_url && (
          <a className="button primary" href={data.download_url} download>
            Download
          </a>
        )}
      </div>
    </>
  );
}

function statusText({ status, entry_count, error }: AuditExport): string {
  const entries = entry_count === 1 ? '1 entry' : `${formatCount(entry_count)} entries`;
  if (status === 'completed') return `The file contains ${entries}. The link expires in an hour.`;
  if (status === 'failed') return `The export failed: ${error ?? 'unknown error'}.`;
  return `Exporting: ${entries} so far…`;
}

interface ExportDialogProps {
  /** The time range of the page, which the export shares. */
  range: TimeRange;
  onClose: () => void;
}

const names: Record<ExportFormat, string> = { json: 'JSON', csv: 'CSV', ndjson: 'NDJSON' };

/** Exports the log to a file. The export runs in the background: closing the dialog does not stop it. */
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
          <p>
            Exports all entries {describe(range)}, oldest first. Actor and action filters do not
            apply.
          </p>
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
  if (since) return `from the ${lengths[since].name.toLowerCase()}`;
  if (!start && !end) return 'regardless of their time';
  return [start && `from ${start}`, end && `until ${end}`].filter(Boolean).join(' ');
}

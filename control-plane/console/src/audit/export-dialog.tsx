import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState, type SubmitEvent } from 'react';
import { exportFormats, type ExportFormat } from '#contract/audit.ts';
import { api } from '../data/api.ts';
import { datesOf, auditExport, type AuditExport } from '../data/audit-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import type { TimeRange } from '../time-range.ts';
import { useQuery } from '../data/use-query.ts';
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
      {data?.status === 'processing' && <progress aria-label={t`Export`} />}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          <Trans>Close</Trans>
        </button>
        {data?.download_url && (
          <a className="button primary" href={data.download_url} download>
            <Trans>Download</Trans>
          </a>
        )}
      </div>
    </>
  );
}

function statusText({ status, entry_count, error }: AuditExport): string {
  if (status === 'completed')
    return plural(entry_count, {
      one: 'The file contains # entry. The link expires in an hour.',
      other: 'The file contains # entries. The link expires in an hour.',
    });
  if (status === 'failed')
    return error === null ? t`The export failed: unknown error.` : t`The export failed: ${error}.`;
  return plural(entry_count, {
    one: 'Exporting: # entry so far…',
    other: 'Exporting: # entries so far…',
  });
}

interface ExportDialogProps {
  /** The time range of the page, which the export uses too. */
  range: TimeRange;
  onClose: () => void;
}

const names: Record<ExportFormat, string> = { json: 'JSON', csv: 'CSV', ndjson: 'NDJSON' };

/**
 * Dialog that exports the log to a file. The export runs in the background, so closing the dialog
 * does not stop it.
 */
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
    <Dialog title={t`Export the audit log`} onClose={onClose}>
      {id === undefined ? (
        <form onSubmit={submit}>
          <p>{describe(range)}</p>
          <Choice
            label={t`Format`}
            options={exportFormats.map((id) => ({ id, name: names[id] }))}
            value={format}
            onChange={setFormat}
          />
          <DialogActions error={error} action={t`Export`} onClose={onClose} />
        </form>
      ) : (
        <ExportProgress id={id} onClose={onClose} />
      )}
    </Dialog>
  );
}

const sinceTexts: Record<NonNullable<TimeRange['since']>, string> = {
  '1h': t`Exports all entries from the last hour, oldest first. Actor and action filters do not apply.`,
  '1d': t`Exports all entries from the last 24 hours, oldest first. Actor and action filters do not apply.`,
  '7d': t`Exports all entries from the last 7 days, oldest first. Actor and action filters do not apply.`,
  '30d': t`Exports all entries from the last 30 days, oldest first. Actor and action filters do not apply.`,
};

function describe({ since, start, end }: TimeRange): string {
  if (since) return sinceTexts[since];
  if (start && end)
    return t`Exports all entries from ${start} until ${end}, oldest first. Actor and action filters do not apply.`;
  if (start)
    return t`Exports all entries from ${start}, oldest first. Actor and action filters do not apply.`;
  if (end)
    return t`Exports all entries until ${end}, oldest first. Actor and action filters do not apply.`;
  return t`Exports all entries regardless of their time, oldest first. Actor and action filters do not apply.`;
}

import { useState } from 'react';
import { auditExport } from '../data/audit-sources.ts';
import type { AuditExport } from '../data/audit-sources.ts';
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

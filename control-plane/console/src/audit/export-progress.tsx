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

/** Asks until the file is there or the export has failed. */
export function ExportProgress({ id, onClose }: ExportProgressProps) {
  const [done, setDone] = useState(false);
  const reading = useQuery(auditExport(id, done));
  const { data } = reading;
  if (data && data.status !== 'processing' && !done) setDone(true);
  return (
    <>
      <div role="status">
        <Loaded reading={reading}>{(made) => <p>{sentenceOf(made)}</p>}</Loaded>
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

function sentenceOf({ status, entry_count, error }: AuditExport): string {
  const entries = entry_count === 1 ? '1 entry' : `${formatCount(entry_count)} entries`;
  if (status === 'completed') return `The file holds ${entries}. The link works for an hour.`;
  if (status === 'failed') return `The export failed: ${error ?? 'nobody knows why'}.`;
  return `${entries} so far…`;
}

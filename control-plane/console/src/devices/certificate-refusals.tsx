import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { DeviceDetail } from '../data/device-sources.ts';
import { NONE } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Clipped } from '../parts/badge.tsx';

type Refusal = DeviceDetail['certificate_refusals'][number];

const columns: Column<Refusal>[] = [
  { name: t`Process`, cell: ({ process }) => <Clipped text={process ?? NONE} /> },
  { name: t`App`, cell: ({ app_id }) => <Clipped text={app_id ?? NONE} /> },
  { name: t`Host`, cell: ({ host }) => <Clipped text={host} /> },
  { name: t`Since`, width: 140, cell: ({ since }) => <Ago at={since} /> },
];

/**
 * Table of programs whose connections pass through without capture, because they reject the
 * device's certificate.
 */
export const CertificateRefusals = ({ refusals }: { refusals: readonly Refusal[] }) => (
  <>
    <p className="muted toolbar">
      <Trans>
        These programs reject the device's certificate. Their connections to the host pass through,
        and only metadata is recorded. The tab “Apps” shows what helps.
      </Trans>
    </p>
    <DataTable
      label={t`Certificate rejected`}
      columns={columns}
      rows={refusals}
      rowKey={({ process, app_id, host }) => `${process} ${app_id} ${host}`}
    />
  </>
);

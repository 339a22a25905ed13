import type { ReactNode } from 'react';
import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { formatDay, none } from './words.ts';

export function ThisDevice({ status }: { status: StatusMessage }) {
  const { api_host, device_id, identity_expires_at, config_version } = status;
  return (
    <Section title="This device">
      <dl>
        <Fact term={status.phase === 'enrolled' ? 'Enrolled with' : 'Service'}>
          {api_host ?? none}
        </Fact>
        <Fact term="Device">{device_id ?? 'Not enrolled yet'}</Fact>
        <Fact term="Certificate valid until">
          {identity_expires_at ? formatDay(identity_expires_at) : none}
        </Fact>
        <Fact term="Configuration">
          {config_version === null ? 'None yet' : `Version ${config_version}`}
        </Fact>
        <Fact term="Reports">{describeReports(status.counts)}</Fact>
      </dl>
    </Section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function describeReports({ reported, queued, dropped }: StatusMessage['counts']): string {
  const lost = dropped > 0 ? `, ${dropped} given up` : '';
  return `${reported} sent, ${queued} waiting${lost}`;
}

import { useState } from 'react';
import { longestPage } from '../data/many.ts';
import { catalog, flowList } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { useFilters } from '../use-filters.ts';
import { FlowToolbar } from './flow-toolbar.tsx';
import { LiveFlows } from './live-flows.tsx';

/** Live flows of one device, or of all devices with a device filter. */
export function FlowsList({ device }: { device?: string }) {
  const filters = useFilters();
  const [paused, setPaused] = useState(false);
  const [limit, setLimit] = useState(longestPage);
  const filter = filterOf(filters.get, device);
  const reading = useQuery(flowList(filter, limit));
  const { data: hosts = [] } = useQuery(catalog());
  return (
    <>
      <FlowToolbar
        filters={filters}
        ofOneDevice={device !== undefined}
        paused={paused}
        onPause={setPaused}
      />
      <LiveFlows
        key={JSON.stringify(filter)}
        reading={reading}
        hosts={hosts}
        ofOneDevice={device !== undefined}
        filtered={Boolean(filter.process ?? filter.known_host ?? filters.get('device'))}
        paused={paused}
        onResume={() => setPaused(false)}
        limit={limit}
        onMore={() => setLimit(limit + longestPage)}
      />
    </>
  );
}

function filterOf(get: (name: string) => string, device: string | undefined) {
  const from = device ?? get('device');
  const process = get('process');
  return {
    ...(from ? { device: from } : {}),
    ...(process ? { process } : {}),
    ...(get('ai') ? { known_host: 'true' as const } : {}),
  };
}

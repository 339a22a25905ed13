import { useEffect, useState } from 'react';
import type { About, Bridge, StatusMessage } from '../bridge.ts';

export interface StatusState {
  about: About | null;
  status: StatusMessage | null;
  /** Whether a request to the app has failed. */
  failed: boolean;
}

/** The status of the app, updated after each change. */
export function useStatus(bridge: Bridge): StatusState {
  const [shown, setShown] = useState<StatusState>({ about: null, status: null, failed: false });

  useEffect(() => {
    let left = false;
    const update = (change: (before: StatusState) => Partial<StatusState>): void => {
      if (!left) setShown((before) => ({ ...before, ...change(before) }));
    };
    const stop = bridge.onStatus((status) => update(() => ({ status, failed: false })));
    const fail = (): void => update(() => ({ failed: true }));
    // A change may arrive before the first response, which is then outdated.
    bridge.getStatus().then((first) => update(({ status }) => ({ status: status ?? first })), fail);
    bridge.getAbout().then((about) => update(() => ({ about })), fail);
    return () => {
      left = true;
      stop();
    };
  }, [bridge]);

  return shown;
}

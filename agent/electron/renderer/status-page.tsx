import type { Bridge, StatusMessage } from '../bridge.ts';
import { AppsFound } from './apps-found.tsx';
import { Capture } from './capture.tsx';
import { Connections } from './connections.tsx';
import { ThisDevice } from './this-device.tsx';
import { Problems } from './problems.tsx';
import { describeState } from './state.ts';
import { useStatus } from './use-status.ts';

/** All that the agent observes and does on this device, for the person who uses it. */
export function StatusPage({ bridge }: { bridge: Bridge }) {
  const { about, status, failed } = useStatus(bridge);
  const state = status && describeState(status);
  return (
    <>
      <header>
        <h1>{about?.name}</h1>
        <p role="status" className="state" data-tone={state?.tone}>
          {state?.text}
        </p>
      </header>
      <main>
        {failed && (
          <p role="alert">The agent does not answer. Close this window and open it again.</p>
        )}
        {status && <Sections status={status} />}
      </main>
      <footer>{about && `Version ${about.version}`}</footer>
    </>
  );
}

function Sections({ status }: { status: StatusMessage }) {
  return (
    <>
      <Capture capture={status.capture} phase={status.phase} />
      <Problems problems={status.problems} />
      <ThisDevice status={status} />
      <AppsFound apps={status.apps} />
      <Connections flows={status.recent_flows} open={status.counts.open_flows} />
    </>
  );
}

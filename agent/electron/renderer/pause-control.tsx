import { useState } from 'react';
import type { Bridge, StatusMessage } from '../bridge.ts';
import { useSpeaker } from './speaking.ts';

interface PauseControlProps {
  pause: StatusMessage['pause'];
  isOn: boolean;
  bridge: Pick<Bridge, 'pause' | 'resume'>;
}

/** Pauses capture where an administrator allows it, and says what goes on meanwhile. */
export function PauseControl({ pause, isOn, bridge }: PauseControlProps) {
  const { say } = useSpeaker();
  const [failed, setFailed] = useState(false);
  const isPaused = pause.until !== null;
  if (!isOn || (!isPaused && pause.allowed_minutes === 0)) return null;
  const change = (): void => {
    const wanted = !isPaused;
    const asked = wanted ? bridge.pause() : bridge.resume();
    asked.then((paused) => setFailed(paused !== wanted)).catch(() => setFailed(true));
  };
  return (
    <div className="pause">
      <button type="button" onClick={change}>
        {isPaused ? say('pause.resume') : say('pause.for', { count: pause.allowed_minutes })}
      </button>
      <p className="muted">
        {isPaused && `${say('pause.goes on')} `}
        {say('pause.reported')}
      </p>
      {failed && <p role="alert">{say('pause.failed')}</p>}
    </div>
  );
}

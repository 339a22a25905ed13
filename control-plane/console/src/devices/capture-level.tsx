import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { State } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { markInvisible } from '../mark-invisible.ts';
import {
  type CaptureLevel,
  levelNames,
  levelTones,
  reasonText,
  remedyText,
} from './capture-words.ts';

/** The capture level of an app; "unknown" for apps that are not in the catalog. */
export function CaptureState({ level }: { level: CaptureLevel | undefined }) {
  const id = level?.level ?? 'unknown';
  return (
    <span title={level && markInvisible(reasonText(level))}>
      <State tone={levelTones[id]}>{levelNames[id]}</State>
    </span>
  );
}

export function CaptureReason({ level }: { level: CaptureLevel | undefined }) {
  const remedy = level && remedyText(level);
  return (
    <div>
      <h3>
        <Trans>Capture: {levelNames[level?.level ?? 'unknown']}</Trans>
      </h3>
      <p>
        <Text>{level ? reasonText(level) : t`The app is not in the catalog.`}</Text>
      </p>
      {remedy && <p>{remedy}</p>}
    </div>
  );
}

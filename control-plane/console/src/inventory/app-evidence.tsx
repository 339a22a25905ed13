import { Trans } from '@lingui/react/macro';
import type { App } from '../data/inventory-sources.ts';
import { RiskList } from '../devices/risk-badges.tsx';
import { Text } from '../parts/text.tsx';

/** Shows where an app was found and what its risks are. */
export function AppEvidence({ path, evidence, risk_flags }: App) {
  return (
    <div className="detail-body">
      <div>
        <h3>
          <Trans>Path</Trans>
        </h3>
        <p className="mono whole">
          <Text>{path}</Text>
        </p>
      </div>
      <div>
        <h3>
          <Trans>Evidence</Trans>
        </h3>
        <ul className="plain mono whole">
          {evidence.map((line) => (
            <li key={line}>
              <Text>{line}</Text>
            </li>
          ))}
        </ul>
      </div>
      {risk_flags.length > 0 && <RiskList flags={risk_flags} />}
    </div>
  );
}

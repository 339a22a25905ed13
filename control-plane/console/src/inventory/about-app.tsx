import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { AppGroupDetail } from '../data/inventory-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { RiskList } from '../devices/risk-badges.tsx';
import { formatCount } from '../format.ts';
import { Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';

/** Describes an app: its catalog entry, its versions, and how many devices have it. */
export function AboutApp({ group }: { group: AppGroupDetail }) {
  const { versions, risk_flags } = group;
  return (
    <section className="card" aria-label={t`App`}>
      <Facts
        facts={[
          [t`Kind`, kindNames[group.kind]],
          [t`Catalog`, group.catalog_id ?? t`not in the catalog`],
          [
            t`Devices`,
            <Link key="devices" to={`/devices?app=${encodeURIComponent(group.id)}`}>
              {formatCount(group.device_count)}
            </Link>,
          ],
          [t`Removed from`, plural(group.gone_count, { one: '# device', other: '# devices' })],
          [t`Users`, formatCount(group.user_count)],
          [t`First seen`, <Ago key="first" at={group.first_seen} />],
          [t`Last seen`, <Ago key="last" at={group.last_seen} />],
        ]}
      />
      {versions.length > 0 && (
        <div className="names">
          <h2>
            <Trans>Versions, newest first</Trans>
          </h2>
          <ul className="badges">
            {versions.map(({ version, device_count }) => (
              <li key={version}>
                <Badge title={plural(device_count, { one: '# device', other: '# devices' })}>
                  <Text>{version}</Text> · {formatCount(device_count)}
                </Badge>
              </li>
            ))}
          </ul>
        </div>
      )}
      {risk_flags.length > 0 && (
        <div className="names">
          <h3>
            <Trans>Risks</Trans>
          </h3>
          <RiskList flags={risk_flags.map(({ flag }) => flag)} />
        </div>
      )}
    </section>
  );
}

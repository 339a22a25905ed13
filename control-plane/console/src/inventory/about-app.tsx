import { Link } from 'wouter';
import type { AppGroupDetail } from '../data/inventory-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { RiskList } from '../devices/risk-badges.tsx';
import { formatCount, formatMany } from '../format.ts';
import { Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';

/** What an app is, in which versions, and how many have it. */
export function AboutApp({ group }: { group: AppGroupDetail }) {
  const { versions, risk_flags } = group;
  return (
    <section className="card" aria-label="App">
      <Facts
        facts={[
          ['Kind', kindNames[group.kind]],
          ['Catalog', group.catalog_id ?? 'not in the catalog'],
          [
            'Devices',
            <Link key="devices" to={`/devices?app=${encodeURIComponent(group.id)}`}>
              {formatCount(group.device_count)}
            </Link>,
          ],
          ['Removed from', formatMany(group.gone_count, 'device')],
          ['Users', formatCount(group.user_count)],
          ['First seen', <Ago key="first" at={group.first_seen} />],
          ['Last seen', <Ago key="last" at={group.last_seen} />],
        ]}
      />
      {versions.length > 0 && (
        <div className="names">
          <h2>Versions, newest first</h2>
          <ul className="badges">
            {versions.map(({ version, device_count }) => (
              <li key={version}>
                <Badge title={formatMany(device_count, 'device')}>
                  <Text>{version}</Text> · {formatCount(device_count)}
                </Badge>
              </li>
            ))}
          </ul>
        </div>
      )}
      {risk_flags.length > 0 && (
        <div className="names">
          <h3>Risks</h3>
          <RiskList flags={risk_flags.map(({ flag }) => flag)} />
        </div>
      )}
    </section>
  );
}

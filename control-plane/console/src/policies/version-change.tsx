import { t } from '@lingui/core/macro';
import { policyVersion } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Json } from '../parts/text.tsx';
import { Loaded } from '../parts/notice.tsx';

/** Shows the policy before and after a change. */
export function VersionChange({ id, version }: { id: string; version: number }) {
  const reading = useQuery(policyVersion(id, version));
  return (
    <div className="opened">
      <Loaded reading={reading}>
        {({ before, after }) => <BeforeAndAfter before={before} after={after} />}
      </Loaded>
    </div>
  );
}

interface BeforeAndAfterProps {
  before: unknown;
  after: unknown;
}

/** Shows two states side by side. An absent state is omitted. */
export const BeforeAndAfter = ({ before, after }: BeforeAndAfterProps) => (
  <div className="detail-body previews">
    <Side title={t`Before`} value={before} />
    <Side title={t`After`} value={after} />
  </div>
);

const Side = ({ title, value }: { title: string; value: unknown }) =>
  value !== null &&
  value !== undefined && (
    <section>
      <h3>{title}</h3>
      <Json value={value} label={title} />
    </section>
  );

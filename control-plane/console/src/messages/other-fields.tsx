import { t } from '@lingui/core/macro';
import { Collapsible } from './collapsible.tsx';
import { JsonTree } from './json-tree.tsx';

/** The members of a value that are not shown otherwise. */
export const OtherFields = ({ fields }: { fields: unknown }) =>
  fields === null || fields === undefined ? null : (
    <Collapsible title={t`Other fields`} value={fields}>
      <JsonTree label={t`Other fields`} value={fields} />
    </Collapsible>
  );

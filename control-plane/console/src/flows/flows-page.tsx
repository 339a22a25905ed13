import { t } from '@lingui/core/macro';
import { Page } from '../parts/page.tsx';
import { FlowsList } from './flows-list.tsx';

export function FlowsPage() {
  return (
    <Page title={t`Flows`}>
      <FlowsList />
    </Page>
  );
}

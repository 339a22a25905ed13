import { Page } from '../parts/page.tsx';
import { FlowsList } from './flows-list.tsx';

export function FlowsPage() {
  return (
    <Page title="Flows">
      <FlowsList />
    </Page>
  );
}

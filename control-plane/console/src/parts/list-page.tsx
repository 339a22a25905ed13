import { useState } from 'react';
import type { ReactNode } from 'react';
import { CreateButton } from './create-button.tsx';
import { Page } from './page.tsx';

interface ListPageProps {
  title: string;
  /** Name of the button that opens the dialog; undefined if the user may not create anything. */
  create: string | undefined;
  renderDialog: (onClose: () => void) => ReactNode;
  children: ReactNode;
}

/** A page with a list and a dialog that adds to it. */
export function ListPage({ title, create, renderDialog, children }: ListPageProps) {
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={title}
      aside={
        create !== undefined && <CreateButton name={create} onClick={() => setCreating(true)} />
      }
    >
      {children}
      {creating && renderDialog(() => setCreating(false))}
    </Page>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { listViews } from '../data/list-view-sources.ts';
import type { ListView, ViewedList } from '../data/list-view-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { closePopover, Popover } from '../parts/popover.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { EditView } from './edit-view.tsx';
import { changeSettings, useListSettings } from './list-settings.ts';
import { isUnfiltered, searchOf, viewQueryOf } from './view-query.ts';
import './view-menu.css';

/** Menu with the saved views of a list: the user's own and the shared ones. */
export function ViewMenu({ list }: { list: ViewedList }) {
  const { data: views, error, refetch } = useQuery(listViews(list));
  const [edited, setEdited] = useState<{ view: ListView | undefined }>();
  const { columns } = useListSettings(list);
  const query = viewQueryOf(useSearch());
  const apply = useApply(list);
  useDefault(views, apply);
  const current = views?.find((view) => view.query === query && query !== '');
  return (
    <>
      <Popover
        label={current ? t`Views: ${markInvisible(current.name)}` : t`Views`}
        summary={current ? <Clipped text={current.name} /> : t`Views`}
        buttonClass="button view-button"
        atEnd
      >
        {error !== undefined && <p className="view-note">{error}</p>}
        {views?.length === 0 && (
          <p className="view-note">
            <Trans>No saved views yet</Trans>
          </p>
        )}
        {views?.map((view) => (
          <div key={view.id} className="view-row">
            <button
              type="button"
              className="menu-item"
              aria-current={view === current ? 'true' : undefined}
              onClick={({ currentTarget }) => {
                closePopover(currentTarget);
                apply(view, false);
              }}
            >
              <Clipped text={view.name} />
              {view.is_shared && (
                <Badge>
                  <Trans>Shared</Trans>
                </Badge>
              )}
              {view.is_default && (
                <Badge tone="accent">
                  <Trans>Default</Trans>
                </Badge>
              )}
            </button>
            <button
              type="button"
              className="link"
              aria-label={t`Edit ${markInvisible(view.name)}`}
              onClick={() => setEdited({ view })}
            >
              <Trans>Edit</Trans>
            </button>
          </div>
        ))}
        <button
          type="button"
          className="menu-item view-save"
          onClick={({ currentTarget }) => {
            closePopover(currentTarget);
            setEdited({ view: undefined });
          }}
        >
          <Trans>Save view…</Trans>
        </button>
      </Popover>
      {edited && (
        <EditView
          list={list}
          view={edited.view}
          shown={{ query, columns: columns ? [...columns] : null }}
          onChanged={() => void refetch()}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

function useApply(list: ViewedList) {
  const [, navigate] = useLocation();
  return (view: ListView, replace: boolean) => {
    if (view.columns) changeSettings(list, { columns: view.columns });
    navigate(location.pathname + searchOf(view.query, location.search), { replace });
  };
}

/**
 * Applies the default view when a list is opened without filters. Only once, so that the user can
 * leave it.
 */
function useDefault(
  views: readonly ListView[] | undefined,
  apply: (view: ListView, replace: boolean) => void,
): void {
  const done = useRef(false);
  const begin = useEffectEvent((views: readonly ListView[]) => {
    if (done.current) return;
    done.current = true;
    const view = views.find((one) => one.is_default);
    if (view && isUnfiltered(location.search)) apply(view, true);
  });
  useEffect(() => {
    if (views) begin(views);
  }, [views]);
}

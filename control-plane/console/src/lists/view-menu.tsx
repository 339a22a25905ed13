import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { listViews } from '../data/list-view-sources.ts';
import type { ListView, ViewedList } from '../data/list-view-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { closePopover } from '../parts/close-popover.ts';
import { Popover } from '../parts/popover.tsx';
import { visible } from '../visible.ts';
import { EditView } from './edit-view.tsx';
import { changeSettings, useListSettings } from './list-settings.ts';
import { isUnfiltered, searchOf, viewQueryOf } from './view-query.ts';
import './view-menu.css';

/** The saved views of a list: one's own and the shared ones. */
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
        label={current ? `Views: ${visible(current.name)}` : 'Views'}
        summary={current ? <Clipped text={current.name} /> : 'Views'}
        look="button view-button"
        atEnd
      >
        {error !== undefined && <p className="view-note">{error}</p>}
        {views?.length === 0 && <p className="view-note">No saved views yet</p>}
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
              {view.is_shared && <Badge>Shared</Badge>}
              {view.is_default && <Badge tone="accent">Default</Badge>}
            </button>
            <button
              type="button"
              className="link"
              aria-label={`Edit ${visible(view.name)}`}
              onClick={() => setEdited({ view })}
            >
              Edit
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
          Save view…
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

/** A list that is opened without filters begins with its default view: once, as it can be left. */
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

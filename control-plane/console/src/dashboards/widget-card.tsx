import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import type { AnalyticsFilters, Widget } from '../data/dashboard-sources.ts';
import { MoreIcon } from '../icons.tsx';
import { Popover } from '../parts/popover.tsx';
import { Text } from '../parts/text.tsx';
import { useOnceVisible } from '../parts/use-once-visible.ts';
import type { TimeRange } from '../time-range.ts';
import { markInvisible } from '../mark-invisible.ts';
import { MenuItem } from './menu-item.tsx';
import { WidgetView } from './widget-view.tsx';
import './widget-card.css';

/** Commands of a widget's menu. */
export interface WidgetActions {
  onEdit: () => void;
  onDuplicate: () => void;
  onMove: (by: -1 | 1) => void;
  onResize: () => void;
  onDelete: () => void;
}

interface WidgetCardProps {
  widget: Widget;
  at: number;
  of: number;
  range: TimeRange;
  filters: AnalyticsFilters;
  /** Undefined if the user may not change the dashboard. */
  actions: WidgetActions | undefined;
}

/** A widget with its menu. Alt and an arrow key move the widget. */
export function WidgetCard({ widget, at, of, range, filters, actions }: WidgetCardProps) {
  const { watch, wasVisible } = useOnceVisible();
  const onKeyDown = (event: KeyboardEvent) => {
    const by = moveStepOfKey(event);
    if (!actions || by === undefined) return;
    event.preventDefault();
    actions.onMove(by);
  };
  return (
    <section
      ref={watch}
      className={widget.width === 'full' ? 'card widget full' : 'card widget'}
      aria-label={markInvisible(widget.title)}
      onKeyDown={onKeyDown}
    >
      <div className="card-header">
        <h2>
          <Text>{widget.title}</Text>
        </h2>
        {actions && <Menu {...{ widget, at, of, actions }} />}
      </div>
      {wasVisible && <WidgetView widget={widget} range={range} filters={filters} />}
    </section>
  );
}

function moveStepOfKey({ key, altKey, target }: KeyboardEvent): -1 | 1 | undefined {
  if (!altKey || (target as HTMLElement).localName !== 'summary') return undefined;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return -1;
  return key === 'ArrowDown' || key === 'ArrowRight' ? 1 : undefined;
}

interface MenuProps {
  widget: Widget;
  at: number;
  of: number;
  actions: WidgetActions;
}

const Menu = ({ widget, at, of, actions }: MenuProps) => (
  <Popover
    label={t`Actions for ${markInvisible(widget.title)}`}
    summary={<MoreIcon />}
    buttonClass="button icon-button"
    atEnd
  >
    <MenuItem onClick={actions.onEdit}>
      <Trans>Edit…</Trans>
    </MenuItem>
    <MenuItem onClick={actions.onDuplicate}>
      <Trans>Duplicate</Trans>
    </MenuItem>
    <MenuItem onClick={() => actions.onMove(-1)} disabled={at === 0} keys="Alt+↑">
      <Trans>Move earlier</Trans>
    </MenuItem>
    <MenuItem onClick={() => actions.onMove(1)} disabled={at === of - 1} keys="Alt+↓">
      <Trans>Move later</Trans>
    </MenuItem>
    <MenuItem onClick={actions.onResize}>
      {widget.width === 'full' ? t`Half width` : t`Full width`}
    </MenuItem>
    <MenuItem onClick={actions.onDelete}>
      <Trans>Remove</Trans>
    </MenuItem>
  </Popover>
);

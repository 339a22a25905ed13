import { useRef, useState } from 'react';
import { api } from '../data/api.ts';
import type { Dashboard, Widget } from '../data/dashboard-sources.ts';

/** A widget with a key that does not change when the widget moves. */
export interface KeyedWidget {
  key: number;
  widget: Widget;
}

export interface Widgets {
  items: readonly KeyedWidget[];
  /** Shows the widgets at once and saves them; restores the previous ones if saving fails. */
  save: (widgets: readonly { key?: number; widget: Widget }[]) => Promise<void>;
}

/** The widgets of a dashboard during editing. Each change is based on the previous one. */
export function useWidgets(dashboard: Dashboard): Widgets {
  const next = useRef(0);
  const version = useRef(dashboard.updated_at);
  const keyed = (widgets: readonly { key?: number; widget: Widget }[]): KeyedWidget[] =>
    widgets.map(({ key, widget }) => ({ key: key ?? (next.current += 1), widget }));
  const [items, setItems] = useState(() =>
    dashboard.widgets.map((widget, at) => ({ key: -1 - at, widget })),
  );
  // Saves one change at a time: each needs the version that the previous one returns.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const save = async (widgets: readonly { key?: number; widget: Widget }[]) => {
    const before = items;
    const after = keyed(widgets);
    setItems(after);
    const store = async () => {
      const params = { dashboard_id: dashboard.id };
      const body = {
        widgets: after.map(({ widget }) => widget),
        ...(version.current !== null && { updated_at: version.current }),
      };
      version.current = (await api.dashboards.updateDashboard({ params, body })).updated_at;
    };
    const stored = queue.current.then(store);
    queue.current = stored.catch(() => undefined);
    try {
      await stored;
    } catch (error) {
      setItems(before);
      throw error;
    }
  };
  return { items, save };
}

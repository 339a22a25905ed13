import { t } from '@lingui/core/macro';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import { ticksFor, zoomBetween } from './time-axis.ts';
import type { TimeAxis, Zoom } from './time-axis.ts';
import { percent } from './time-cell.tsx';
import './time-ruler.css';

/** Minimum length of a drag in pixels. A shorter one is a click. */
const MIN_DRAG_PX = 4;

interface TimeRulerProps {
  axis: TimeAxis;
  /** Shows a part of the trace, or all of it if undefined. */
  onZoom: (zoom: Zoom | undefined) => void;
}

/**
 * The ticks above the waterfall. A drag zooms to a part of the time, a double click shows all of
 * it.
 */
export const TimeRuler = memo(function TimeRuler({ axis, onZoom }: TimeRulerProps) {
  const ref = useRef<HTMLSpanElement>(null);
  const [width, setWidth] = useState(0);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  useLayoutEffect(() => {
    const ruler = ref.current;
    if (!ruler) return undefined;
    const observer = new ResizeObserver(() => setWidth(ruler.clientWidth));
    observer.observe(ruler);
    return () => observer.disconnect();
  }, []);
  const place = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: place(event), to: place(event) });
  };
  const end = () => {
    setDrag(undefined);
    if (drag && Math.abs(drag.to - drag.from) * width >= MIN_DRAG_PX)
      onZoom(zoomBetween(axis, drag.from, drag.to));
  };
  return (
    <span
      ref={ref}
      className="time-ruler"
      aria-hidden="true"
      title={t`Drag to zoom, double click to show all`}
      onPointerDown={begin}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: place(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={() => onZoom(undefined)}
    >
      {ticksFor(axis, width).map(({ place, label }) => (
        <span
          key={place}
          className={place > 0.9 ? 'tick last' : 'tick'}
          style={{ left: percent(place) }}
        >
          {label}
        </span>
      ))}
      {drag && (
        <span
          className="zoom-selection"
          style={{
            left: percent(Math.min(drag.from, drag.to)),
            width: percent(Math.abs(drag.to - drag.from)),
          }}
        />
      )}
    </span>
  );
});

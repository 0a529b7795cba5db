import { useLayoutEffect, useRef } from 'react';
import { canvasBrush } from './brush';
import styles from './LaneChart.module.css';
import type { Painter } from './painter';
import { spanOf, type TimeWindow } from './timeWindow';
import { useDevicePixelRatio } from './useDevicePixelRatio';

interface LaneNamesProps {
  readonly paint: Painter;
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
}

/** The names of items on a canvas of their own: what crosses them, such as arrows, is drawn by React, between both. */
export function LaneNames({ paint, window, width, height, scroll }: LaneNamesProps) {
  const pixelRatio = useDevicePixelRatio();
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    const scale = width / spanOf(window);
    paint(canvasBrush(context), { x: 0, y: 0, width, height, start: window.start, scale, scroll });
  }, [paint, window, width, height, scroll, pixelRatio]);
  return (
    <canvas
      ref={canvas}
      className={styles.itemNames}
      width={Math.round(width * pixelRatio)}
      height={Math.round(height * pixelRatio)}
      style={{ width, height }}
      aria-hidden
    />
  );
}

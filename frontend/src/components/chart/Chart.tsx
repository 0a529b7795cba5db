import { useImperativeHandle, useLayoutEffect, useRef, type Ref } from 'react';
import { useTheme, type Theme } from '../theme/theme';
import styles from './Chart.module.css';
import { init, themeOf, type ChartOption, type EChartsType } from './echarts';
import { useDevicePixelRatio } from './useDevicePixelRatio';

export interface ChartHandle {
  /** The canvas as it is, as a `data:` URL of a PNG. */
  readonly toPng: () => string | undefined;
}

export interface ChartProps {
  /** Components and series carry ids: what has the same id is changed in place, what is gone is removed. */
  readonly option: ChartOption;
  /** What the picture shows, in one sentence, for those who cannot see it. */
  readonly label: string;
  /** Set as `data-rendered` once this option is on the canvas; absent while there is nothing to see yet. */
  readonly renderedMark?: string | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<ChartHandle>;
}

/** The one owner of ECharts: fills its parent, follows its size, the theme and the screen's pixel ratio. */
export function Chart(props: ChartProps) {
  const pixelRatio = useDevicePixelRatio();
  const theme = useTheme();
  // A canvas is made for one pixel ratio and one theme: ECharts' `setTheme` goes back to the first option.
  return <ChartCanvas key={`${theme.name} ${pixelRatio}`} theme={theme} pixelRatio={pixelRatio} {...props} />;
}

interface ChartCanvasProps extends ChartProps {
  readonly theme: Theme;
  readonly pixelRatio: number;
}

function ChartCanvas(props: ChartCanvasProps) {
  const { option, label, renderedMark, className, ref, theme, pixelRatio } = props;
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);

  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const instance = init(box.current, themeOf(theme), {
      renderer: 'canvas',
      devicePixelRatio: pixelRatio,
    });
    chart.current = instance;
    const observer = new ResizeObserver(() => resizeToBox(instance));
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      instance.dispose();
      chart.current = undefined;
    };
  }, [theme, pixelRatio]);

  useLayoutEffect(() => {
    const instance = chart.current;
    if (instance === undefined) return;
    instance.setOption(option, { replaceMerge: ['grid', 'xAxis', 'yAxis', 'series'], silent: true });
    // Painted now, in the frame that also moves what React draws over the canvas, and not one frame later.
    instance.getZr().flush();
    box.current?.toggleAttribute('data-rendered', false);
    if (renderedMark !== undefined) box.current?.setAttribute('data-rendered', renderedMark);
  }, [option, renderedMark]);

  useImperativeHandle(ref, () => ({
    toPng: () =>
      chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: theme.palette.ground }),
  }));

  return <div ref={box} role="img" aria-label={label} className={`${styles.chart} ${className ?? ''}`} />;
}

/** ECharts reads the size once; a box that is hidden or not laid out yet has none, and must not be drawn into. */
function resizeToBox(instance: EChartsType): void {
  const { clientWidth, clientHeight } = instance.getDom();
  if (clientWidth === 0 || clientHeight === 0) return;
  if (clientWidth === instance.getWidth() && clientHeight === instance.getHeight()) return;
  instance.resize({ width: clientWidth, height: clientHeight, silent: true });
  instance.getZr().flush();
}

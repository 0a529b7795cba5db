import type { Theme } from '../theme/theme';

// A canvas cannot read the style sheet's variables; this is its `--sans`.
const SANS =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif";

/** ECharts' defaults in the page's colours, so that a chart's option names a colour only where it means something. */
export function themeOf({ palette }: Theme): object {
  const axis = {
    axisLine: { show: true, lineStyle: { color: palette.line } },
    axisTick: { show: false },
    axisLabel: { color: palette.quiet, fontSize: 12 },
    nameTextStyle: { color: palette.quiet, fontSize: 12 },
    splitLine: { show: true, lineStyle: { color: palette.line } },
  };
  return {
    backgroundColor: 'transparent',
    color: [palette.normal, palette.abnormal, palette.irq, palette.kernelThread, palette.good],
    textStyle: { color: palette.text, fontSize: 12, fontFamily: SANS },
    valueAxis: axis,
    logAxis: axis,
    categoryAxis: axis,
    timeAxis: axis,
  };
}

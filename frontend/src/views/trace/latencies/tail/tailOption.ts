import type { CustomSeriesOption } from 'echarts/charts';
import { causeInk } from '../../../../components/cause/causeInk';
import type { ChartOption } from '../../../../components/chart/echarts';
import { risingLines, type Box } from '../../../../components/chart/hatch';
import { SANS } from '../../../../components/theme/fonts';
import type { Theme } from '../../../../components/theme/theme';
import { groupDigits } from '../../../../lib/ns';
import { visibleText } from '../../../../lib/visibleText';
import { samplesText } from '../shownKind';
import type { PlacedBand, TailBox, TailPlot } from './tailPlot';

/** Pixels around the plot, for its axes and their titles, and for how many samples each band has. */
export const TAIL_MARGIN = { left: 56, right: 16, top: 24, bottom: 40 } as const;

/** What a band needs to be as wide as for its count to say what is counted. */
const COUNT_ROOM = 88;

/** What a box needs to be so that its name can be written in it. */
const TEXT_ROOM = { width: 56, height: 16 } as const;

/** The causes of each band, stacked to its whole time; `above` is room for a title. */
export function tailOption(plot: TailPlot, theme: Theme, above = 0): ChartOption {
  const { palette } = theme;
  const line = { show: true, onZero: false, lineStyle: { color: palette.line } };
  const labels = new Map(edgesOf(plot.bands));
  const customValues = [...labels.keys()];
  return {
    animation: false,
    grid: { ...TAIL_MARGIN, top: TAIL_MARGIN.top + above, outerBoundsMode: 'none' },
    xAxis: {
      id: 'x',
      type: 'value',
      min: 0,
      max: plot.end,
      name: 'share of the samples that are shorter',
      nameLocation: 'middle',
      nameGap: 24,
      axisTick: { show: false, customValues },
      axisLine: line,
      axisLabel: {
        customValues,
        formatter: (value: number) => labels.get(value) ?? '',
        color: palette.quiet,
        hideOverlap: true,
      },
      splitLine: { show: false },
    },
    yAxis: {
      id: 'y',
      type: 'value',
      min: 0,
      max: 1,
      interval: 0.25,
      axisLine: line,
      axisLabel: {
        formatter: (value: number) => `${Math.round(value * 100)}\u202f%`,
        color: palette.quiet,
      },
      splitLine: { show: true, lineStyle: { color: palette.line } },
    },
    series: [boxSeries(plot, theme), countSeries(plot, theme)],
  };
}

/** Where bands begin, by what their names say. */
function edgesOf(bands: readonly PlacedBand[]): readonly (readonly [number, string])[] {
  return bands.map(({ band, left }) => {
    const name = band.name.split('-')[0]?.trim();
    return [left, name === band.name ? name : `${name}\u202f%`] as const;
  });
}

function boxSeries(plot: TailPlot, theme: Theme): CustomSeriesOption {
  return {
    id: 'causes',
    type: 'custom',
    silent: true,
    animation: false,
    data: plot.boxes.map(({ band, from, to }) => [
      plot.bands[band]?.left ?? 0,
      plot.bands[band]?.right ?? 0,
      from,
      to,
    ]),
    encode: { x: [0, 1], y: [2, 3] },
    renderItem: ({ dataIndex }, api) => {
      const [left = 0, bottom = 0] = api.coord([api.value(0), api.value(2)]);
      const [right = 0, top = 0] = api.coord([api.value(1), api.value(3)]);
      const box = { x: left + 1, y: top, width: Math.max(1, right - left - 2), height: bottom - top - 0.5 };
      return { type: 'group', children: boxElements(plot, plot.boxes[dataIndex], box, theme) };
    },
  };
}

/** How many samples each band has, above it: a share of few says little. */
function countSeries(plot: TailPlot, { palette }: Theme): CustomSeriesOption {
  return {
    id: 'counts',
    type: 'custom',
    silent: true,
    animation: false,
    clip: false,
    data: plot.bands.map(({ left, right }) => [left, right, 1]),
    encode: { x: [0, 1], y: 2 },
    renderItem: ({ dataIndex }, api) => {
      const [left = 0, top = 0] = api.coord([api.value(0), 1]);
      const [right = 0] = api.coord([api.value(1), 1]);
      const count = plot.bands[dataIndex]?.band.count ?? 0;
      return {
        type: 'text',
        x: (left + right) / 2,
        y: top - 4,
        style: {
          text: right - left < COUNT_ROOM ? groupDigits(count) : samplesText(count),
          fontFamily: SANS,
          fontSize: 12,
          align: 'center',
          verticalAlign: 'bottom',
          fill: palette.quiet,
        },
      };
    },
  };
}

function boxElements(plot: TailPlot, item: TailBox | undefined, box: Box, theme: Theme) {
  const cause = plot.causes[item?.cause ?? -1];
  if (cause === undefined) return [];
  const { palette } = theme;
  const { fill, hatch, edge } = causeInk(cause.cause, cause.what, theme);
  const stroke = edge ?? hatch?.colour;
  const rect = {
    type: 'rect' as const,
    shape: box,
    style: { fill: fill ?? 'transparent', ...(stroke !== undefined && { stroke, lineWidth: 1 }) },
  };
  const points = hatch === undefined ? [] : risingLines(box, hatch.spacing);
  const lines = Array.from({ length: points.length / 4 }, (_, at) => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points.slice(at * 4, at * 4 + 4);
    return { type: 'line' as const, shape: { x1, y1, x2, y2 }, style: { stroke: hatch?.colour ?? '' } };
  });
  if (box.width < TEXT_ROOM.width || box.height < TEXT_ROOM.height) return [rect, ...lines];
  const text = {
    type: 'text' as const,
    x: box.x + 4,
    y: box.y + box.height / 2,
    style: {
      text: visibleText(cause.what),
      fontFamily: SANS,
      fontSize: 12,
      verticalAlign: 'middle' as const,
      fill: fill === undefined ? palette.text : palette.onSlice,
      ...(hatch !== undefined && { backgroundColor: palette.ground, padding: 2 }),
      width: box.width - 8,
      overflow: 'truncate' as const,
    },
  };
  return [rect, ...lines, text];
}

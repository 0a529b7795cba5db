/**
 * The same rectangles drawn twice, for `bench/frames.mjs`: as lanes of this product, and by ECharts with an element a
 * rectangle. Both move by the same step a frame.
 */
import '../src/components/theme/base.css';
import { CustomChart, type CustomSeriesOption } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use as addParts } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { LaneChart } from '../src/components/chart/LaneChart';
import { buildScene, type LaneScene } from '../src/components/chart/laneScene';
import { timeTicks } from '../src/components/chart/timeTicks';
import type { TimeWindow } from '../src/components/chart/timeWindow';
import { startTheme } from '../src/components/theme/theme';

addParts([CustomChart, GridComponent, CanvasRenderer]);

const ROWS = 48;
const ROW_PX = 14;
const SPAN_NS = 10_000_000;
const FILLS = ['#d55e00', '#e69f00', '#56b4e9', '#009e73', '#0072b2', '#cc79a7', '#999999', '#f0e442'];

/** Shows the rectangles of one window; the last call of `move` is on the canvas when it returns. */
interface Drawn {
  readonly move: (window: TimeWindow) => void;
  readonly end: () => void;
}

/** Rectangles of two thirds of their share of the row, in colours that alternate. */
function sceneOf(count: number): LaneScene {
  const perRow = Math.ceil(count / ROWS);
  const step = SPAN_NS / perRow;
  const indices = Array.from({ length: perRow }, (_, index) => index);
  return buildScene({
    rows: Array.from({ length: ROWS }, (_, row) => ({
      id: `row ${row}`,
      label: '',
      height: ROW_PX,
      items: {
        start: indices.map((index) => Math.round(index * step)),
        duration: indices.map(() => Math.round((step * 2) / 3)),
        fill: indices.map((index) => (index + row) % FILLS.length),
      },
    })),
    fills: FILLS,
    texts: [],
  });
}

const nothing = () => undefined;

function drawLanes(scene: LaneScene, box: HTMLElement): Drawn {
  const root = createRoot(box);
  const domain = { start: -SPAN_NS, end: 2 * SPAN_NS };
  const move = (window: TimeWindow) =>
    flushSync(() =>
      root.render(
        <LaneChart
          scene={scene}
          window={window}
          domain={domain}
          ticksFor={timeTicks}
          label="Lanes"
          gutter={72}
          onWindow={nothing}
          onSettled={nothing}
          onArea={nothing}
          onHover={nothing}
          onPick={nothing}
        />,
      ),
    );
  return { move, end: () => root.unmount() };
}

const rectangle: CustomSeriesOption['renderItem'] = (_, api) => {
  const [x = 0, y = 0] = api.coord([api.value(0), api.value(2)]);
  const [end = 0] = api.coord([Number(api.value(0)) + Number(api.value(1)), 0]);
  const fill = FILLS[Number(api.value(3))] ?? '';
  return { type: 'rect', shape: { x, y, width: end - x, height: ROW_PX - 2 }, style: { fill } };
};

function drawElements(scene: LaneScene, box: HTMLElement): Drawn {
  const chart = init(box, undefined, { renderer: 'canvas' });
  const data = scene.rows.flatMap(({ items }, row) =>
    items.start.map((start, index) => [start, items.duration[index] ?? 0, row, items.fill[index] ?? 0]),
  );
  chart.setOption({
    animation: false,
    grid: { left: 72, right: 0, top: 24, bottom: 0 },
    xAxis: { id: 'x', type: 'value', position: 'top', min: 0, max: SPAN_NS },
    yAxis: { type: 'value', inverse: true, min: 0, max: ROWS, show: false },
    series: [
      {
        id: 'all',
        type: 'custom',
        animation: false,
        progressive: 0,
        silent: true,
        clip: true,
        data,
        renderItem: rectangle,
      },
    ],
  });
  const move = ({ start, end }: TimeWindow) => {
    chart.setOption({ xAxis: { id: 'x', min: start, max: end } }, { silent: true });
    chart.getZr().flush();
  };
  return { move, end: () => chart.dispose() };
}

/** Milliseconds of script that each of so many frames took, painting included. */
async function measure(how: 'lanes' | 'elements', count: number, frames: number): Promise<number[]> {
  const box = document.getElementById('plot');
  if (box === null) throw new Error('the page has no plot');
  const drawn = (how === 'lanes' ? drawLanes : drawElements)(sceneOf(count), box);
  const spent: number[] = [];
  for (let frame = 0; frame < frames; frame += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what a frame is
    await new Promise(requestAnimationFrame);
    const shift = (frame % 40) * (SPAN_NS / 2000);
    const began = performance.now();
    drawn.move({ start: shift, end: SPAN_NS + shift });
    spent.push(performance.now() - began);
  }
  drawn.end();
  return spent;
}

startTheme();
Object.assign(window, { measure });

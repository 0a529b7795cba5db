import { useMemo, useState } from 'react';
import type { SqlAnswer, SqlColumn, SqlValue } from '../../api/sql';
import { Chart } from '../../components/chart/Chart';
import { ReadingSurface, ReadSlot, type SurfacePixels } from '../../components/chart/ReadingSurface';
import { stepByKey } from '../../components/chart/stepByKey';
import { useKeys } from '../../components/keys/keys';
import { Fact, Hint, Strip } from '../../components/strip/Strip';
import { useTheme } from '../../components/theme/theme';
import { visibleText } from '../../lib/visibleText';
import type { PlotKind } from '../../viewState/query';
import styles from './Query.module.css';
import { resultAxes, type ResultAxes } from './resultAxes';
import { valueText } from './resultCells';
import { placeAt, shareOf } from './resultPlaces';
import { MARGIN, plotOption, seriesColours, type Place, type ResultPlot } from './resultPlot';

interface ResultChartProps {
  readonly answer: Pick<SqlAnswer, 'columns' | 'rows'>;
  readonly plot: ResultPlot;
  readonly kind: PlotKind;
}

/** The plot, and under it the row that the pointer or the arrow keys are at. */
export function ResultChart({ answer, plot, kind }: ResultChartProps) {
  const { palette } = useTheme();
  const [at, setAt] = useState<number>();
  const option = useMemo(() => plotOption(plot, kind, palette), [plot, kind, palette]);
  const axes = useMemo(() => resultAxes(plot, kind), [plot, kind]);
  const colours = seriesColours(palette);
  const names = plot.series.map(({ column }) => visibleText(column.name)).join(', ');
  const { places } = plot;
  const place = at === undefined ? undefined : places[at];
  useKeys('Query', KEYS);
  const pointTo = (pointer: SurfacePixels, size: SurfacePixels) =>
    placeAt(places, axes, size, { x: pointer.x, y: size.y - pointer.y }, kind === 'points');
  return (
    <figure className={styles.plot}>
      <figcaption className={styles.legend}>
        {plot.series.map(({ column }, index) => (
          <span key={column.name}>
            <span className={styles.swatch} style={{ background: colours[index] }} />
            {visibleText(column.name)}
          </span>
        ))}
      </figcaption>
      <div className={styles.chart}>
        <Chart
          option={option}
          label={`${names} against ${visibleText(plot.x.name)}; the table below has the numbers`}
          renderedMark={kind}
        />
        <ReadingSurface
          label="Row"
          read={at}
          index={at}
          count={places.length}
          text={place && rowText(answer, plot, place)}
          place={MARGIN}
          pointTo={pointTo}
          keyTo={(key) => stepByKey(key, at, places.length)}
          onRead={setAt}
        >
          {place && <Pointed place={place} axes={axes} colours={colours} />}
        </ReadingSurface>
      </div>
      <Strip testId="query-hover">
        {place ? (
          factsOf(answer, plot, place).map(({ name, text, at: column }) => (
            <Fact key={column} name={name}>
              {text}
            </Fact>
          ))
        ) : (
          <Hint touch="tap the plot to read its rows">
            hover over the plot to read its rows · arrow keys go from row to row
          </Hint>
        )}
      </Strip>
    </figure>
  );
}

const KEYS = [
  { keys: ['ArrowLeft', 'ArrowRight'], does: 'Next row, with the plot in focus' },
  { keys: ['PageUp', 'PageDown'], does: '20 rows on' },
];

interface PointedProps {
  readonly place: Place;
  readonly axes: ResultAxes;
  readonly colours: readonly string[];
}

/** Over the bars of the row their slot; else a line at its place, and a dot at each of its values. */
function Pointed({ place, axes, colours }: PointedProps) {
  const left = shareOf(place.x, axes.x);
  if (axes.slot !== undefined) {
    const width = axes.slot / (axes.x.max - axes.x.min);
    return <ReadSlot left={left - width / 2} width={width} />;
  }
  return (
    <>
      <div className={styles.line} style={{ left: percent(left) }} />
      {place.values.map((value, index) =>
        value === undefined ? null : (
          <div
            // oxlint-disable-next-line react/no-array-index-key -- a dot is of a series, whose place is its identity
            key={index}
            className={styles.dot}
            style={{
              left: percent(left),
              bottom: percent(shareOf(value, axes.y)),
              background: colours[index],
            }}
          />
        ),
      )}
    </>
  );
}

const percent = (share: number) => `${100 * share}%`;

interface RowFact {
  readonly at: number;
  readonly name: string;
  readonly text: string;
}

/** What is along the bottom, then what is drawn above it, then what else the row has. */
function factsOf({ columns, rows }: ResultChartProps['answer'], plot: ResultPlot, { row }: Place): RowFact[] {
  const values = rows[row] ?? [];
  const drawn = new Set(plot.series.map(({ column }) => column));
  const rankOf = (column: SqlColumn) => (column === plot.x ? 0 : drawn.has(column) ? 1 : 2);
  return columns
    .map((column, at) => ({ column, at, value: values[at] ?? null }))
    .filter((one): one is typeof one & { value: Exclude<SqlValue, null> } => one.value !== null)
    .toSorted((one, other) => rankOf(one.column) - rankOf(other.column))
    .map(({ column, at, value }) => ({
      at,
      name: visibleText(column.name),
      text: valueText(value, column),
    }));
}

const rowText = (answer: ResultChartProps['answer'], plot: ResultPlot, place: Place) =>
  factsOf(answer, plot, place)
    .map(({ name, text }) => `${name} ${text}`)
    .join(', ');

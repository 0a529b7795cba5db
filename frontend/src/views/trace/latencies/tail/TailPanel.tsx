import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { tailQuery } from '../../../../api/tail';
import { ChartWays } from '../../../../components/chart/ChartWays';
import { PICTURE_TITLE_PX, savePicture } from '../../../../components/chart/exportPicture';
import type { PictureFormat } from '../../../../components/chart/pictureFile';
import { Panel } from '../../../../components/panel/Panel';
import { FailedQuery } from '../../../../components/problem/FailedQuery';
import { ChartTable, type ChartColumn } from '../../../../components/table/ChartTable';
import { useClock } from '../../../../components/clock/useClock';
import { useTheme } from '../../../../components/theme/theme';
import type { Clock } from '../../../../lib/clock';
import { measureOf, unitOn } from '../../../../lib/measure';
import { percentText } from '../../../../lib/percent';
import { sentenceText, visibleText } from '../../../../lib/visibleText';
import { chosenBand, samplesText, type KindChartProps } from '../shownKind';
import { shownBands, type ShownBand } from './shownBands';
import { TailChart } from './TailChart';
import styles from './TailPanel.module.css';
import { tailOption } from './tailOption';
import { tailPlot } from './tailPlot';

const PICTURE = { width: 1200, height: 480 };

/** What took the time of the slow samples and what that of the ordinary ones, by bands of the distribution. */
export function TailPanel({ trace, kind, state, setState }: KindChartProps) {
  const theme = useTheme();
  const clock = useClock();
  const [showsTable, setShowsTable] = useState(false);
  const query = useQuery(tailQuery(trace.id, kind.request, chosenBand(state)));
  const tail = query.data;
  const isMissing = typeof tail?.unavailable === 'string';
  const bands = useMemo(() => shownBands(tail?.bands ?? []), [tail]);
  const plot = useMemo(
    () => (bands.length > 0 ? tailPlot({ bands, chosen: tail?.chosen ?? null }) : undefined),
    [bands, tail],
  );
  const title = `${visibleText(kind.title)}: tail`;
  const sentence = visibleText(tail?.sentence ?? title);
  const name = `${visibleText(trace.name)}-${kind.label}-tail`;
  const save = (format: PictureFormat) => {
    if (plot === undefined) return;
    savePicture(tailOption(plot, theme, PICTURE_TITLE_PX), theme, PICTURE, { format, name, title: sentence });
  };
  return (
    <Panel
      title={title}
      note={tail && !isMissing && `${samplesText(tail.count)}, ${whatOf(state)}`}
      actions={
        isMissing ? undefined : (
          <ChartWays
            what="the tail"
            disabled={plot === undefined}
            onTable={() => setShowsTable(true)}
            onPicture={save}
          />
        )
      }
    >
      <FailedQuery query={query} />
      <p className={styles.sentence}>
        {isMissing ? (
          <WithCode text={visibleText(tail.unavailable ?? '')} />
        ) : (
          sentenceText(tail?.sentence ?? '')
        )}
      </p>
      {plot ? (
        <TailChart
          plot={plot}
          label={sentence}
          chosen={chosenBand(state)}
          onChoose={(band) => setState({ worst: 'kind', band, window: undefined }, { history: 'push' })}
        />
      ) : (
        kind.has_tail && tail === undefined && !query.isError && <div className={styles.waiting} />
      )}
      {showsTable && tail && (
        <ChartTable
          title="Causes by band"
          name={name}
          columns={columnsOf(clock)}
          rows={rowsOf(bands, tail.chosen)}
          onClose={() => setShowsTable(false)}
        />
      )}
    </Panel>
  );
}

/** Text of the API, in which names are between backticks. */
function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}

/** Profiles are kept of whole traces and by task; a stretch of time or a CPU does not narrow them. */
function whatOf({ stratum, window }: KindChartProps['state']): string {
  const isAllCpus = stratum?.name === 'cpu' || stratum?.name === 'key';
  const wider = [window && 'not only the stretch shown', isAllCpus && 'not only the group chosen'].filter(
    Boolean,
  );
  return ['whole trace', ...wider].join(', ');
}

type TailRow = ReturnType<typeof rowsOf>[number];

const rowsOf = (bands: readonly ShownBand[], chosen: ShownBand | null) =>
  [...bands, ...(chosen ? [chosen] : [])].flatMap((band) => band.causes.map((cause) => ({ band, ...cause })));

const columnsOf = (clock: Clock): readonly ChartColumn<TailRow>[] => {
  const { title } = measureOf(unitOn(clock));
  return [
    { title: 'band', cell: ({ band }) => band.name },
    { title: 'samples', isNumber: true, cell: ({ band }) => band.count },
    { title: title('from'), isNumber: true, cell: ({ band }) => band.min_ns },
    { title: title('to'), isNumber: true, cell: ({ band }) => band.max_ns },
    { title: 'cause', cell: ({ cause }) => cause },
    { title: 'what', isCode: true, cell: ({ what }) => visibleText(what) },
    { title: title('time'), isNumber: true, cell: ({ duration_ns }) => duration_ns },
    {
      title: 'share',
      isNumber: true,
      cell: ({ band, duration_ns }) => percentText(duration_ns, band.total_ns),
    },
  ];
};

import { Button } from '../../../components/button/Button';
import { useClock } from '../../../components/clock/useClock';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { casePieces } from '../../../components/ruler/latePart';
import { Ruler } from '../../../components/ruler/Ruler';
import { ViewLink } from '../../../components/ViewLink';
import { sentenceText } from '../../../lib/visibleText';
import { paths } from '../../../viewState/paths';
import styles from './Cases.module.css';
import type { Cases } from './useCases';

interface OpenedCaseProps {
  readonly traceId: string;
  readonly cases: Cases;
  readonly window: TimeWindow;
  readonly gutter: number;
  readonly onFrame: (stretch: TimeWindow) => void;
  readonly onClose: () => void;
}

/** The case that was opened: its sentence, which leads back to its page, and its ruler on the axis of the lanes. */
export function OpenedCase({ traceId, cases, window, gutter, onFrame, onClose }: OpenedCaseProps) {
  const clock = useClock();
  const { data: latencyCase } = cases.opened;
  const pieces = latencyCase ? casePieces(latencyCase, clock) : [];
  const frame = (id: string) => {
    const piece = pieces.find((one) => one.id === id);
    if (piece) onFrame(piece);
  };
  return (
    <section aria-label="Opened case">
      <div className={styles.opened}>
        <div className={styles.sentence}>
          <FailedQuery query={cases.opened} />
          {latencyCase === undefined ? (
            <span className={styles.words}>{cases.opened.isError ? '' : 'Loading the case …'}</span>
          ) : (
            <>
              <ViewLink
                to={paths.case(traceId, latencyCase.id)}
                className={styles.words}
                title="Back to the page of the case"
              >
                {sentenceText(latencyCase.headline)}
              </ViewLink>
              <Button look="bare" onClick={() => onFrame({ start: latencyCase.t, end: latencyCase.end })}>
                Zoom to it
              </Button>
            </>
          )}
          <Button look="bare" label="Close the case" onClick={onClose}>
            ✕
          </Button>
        </div>
      </div>
      <Ruler look="case" name="this case" pieces={pieces} window={window} gutter={gutter} onPick={frame} />
    </section>
  );
}

import { useSyncExternalStore } from 'react';
import { UNITS, type Unit } from '../../api/sendFile';
import { uploadQueue, type Upload } from '../../api/uploadQueue';
import { Button } from '../../components/button/Button';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Progress } from '../../components/Progress';
import { ViewLink } from '../../components/ViewLink';
import { mayPass, problemOfTrace, type Problem } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import styles from './UploadList.module.css';
import { uploadCounts, uploadWords } from './uploadWords';

/** The uploads of this tab, each with its progress, or with the reason why it came to nothing. */
export function UploadList() {
  const uploads = useSyncExternalStore(uploadQueue.subscribe, uploadQueue.snapshot);
  if (uploads.length === 0) return null;
  const areReady = uploads.every(({ phase }) => phase === 'ready');
  return (
    <section className={styles.uploads} aria-label="Uploads">
      {uploads.length > 1 ? <Summary uploads={uploads} /> : null}
      <ul className={styles.list} data-ready={areReady}>
        {inOrder(uploads).map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

const hasFailed = ({ phase }: Upload) => phase === 'refused' || phase === 'unreadable';

/** Once nothing is under way any more, what failed comes first: in a long list nobody would find it. */
function inOrder(uploads: readonly Upload[]): readonly Upload[] {
  const isOver = uploads.every((upload) => upload.phase === 'ready' || hasFailed(upload));
  return isOver ? uploads.toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a))) : uploads;
}

const clear = (uploads: readonly Upload[]) => uploads.forEach((upload) => uploadQueue.dismiss(upload.key));

/** How many files are how far, so that hundreds can be dropped at once. */
function Summary({ uploads }: { readonly uploads: readonly Upload[] }) {
  const ready = uploads.filter((upload) => upload.phase === 'ready');
  const failed = uploads.filter(hasFailed);
  return (
    <div className={styles.summary}>
      <span>{uploadCounts(uploads.length, ready.length, failed.length)}</span>
      {ready.length > 0 ? (
        <Button look="bare" onClick={() => clear(ready)}>
          Clear ready
        </Button>
      ) : null}
      {failed.length > 0 ? (
        <Button look="bare" onClick={() => clear(failed)}>
          Clear failed
        </Button>
      ) : null}
    </div>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { words, ratio } = uploadWords(upload);
  const name = visibleText(upload.file.name);
  const problem = upload.trace?.error ? problemOfTrace(upload.trace.error) : upload.problem;
  const isUnderWay = upload.phase !== 'ready' && !problem;
  return (
    <li className={styles.upload} data-phase={upload.phase}>
      <span className={styles.name}>
        {upload.trace ? <ViewLink to={paths.trace(upload.trace.id)}>{name}</ViewLink> : name}
      </span>
      <span className={styles.progress}>
        {isUnderWay ? <Progress ratio={ratio} label={`${name}: ${words}`} /> : null}
      </span>
      <span className={styles.words} title={words}>
        {words}
      </span>
      <span className={styles.actions}>
        {upload.phase === 'refused' && problem && mayPass(problem) ? (
          <Button look="bare" onClick={() => uploadQueue.retry(upload.key)}>
            Try again
          </Button>
        ) : null}
        {isUnderWay ? (
          <Button look="bare" onClick={() => uploadQueue.cancel(upload.key)}>
            Cancel
          </Button>
        ) : (
          <Button
            look="bare"
            label={`Remove ${name} from this list`}
            onClick={() => uploadQueue.dismiss(upload.key)}
          >
            ✕
          </Button>
        )}
      </span>
      {problem ? (
        <div className={styles.problem}>
          {upload.phase === 'refused' && problem.code === UNIT_UNKNOWN ? (
            <UnitQuestion problem={problem} onUnit={(unit) => uploadQueue.retry(upload.key, unit)} />
          ) : (
            <ProblemNote problem={problem} />
          )}
        </div>
      ) : null}
    </li>
  );
}

/** Of a file of bare numbers. */
const UNIT_UNKNOWN = 'unit_unknown';

const UNIT_NAMES: Readonly<Record<Unit, string>> = { ns: 'ns', us: 'µs', ms: 'ms', s: 's' };

interface UnitQuestionProps {
  readonly problem: Problem;
  readonly onUnit: (unit: Unit) => void;
}

/** The question that only a person can answer; each answer sends the file again. */
function UnitQuestion({ problem, onUnit }: UnitQuestionProps) {
  return (
    <ProblemNote problem={{ ...problem, remedy: 'What do they count?' }}>
      {UNITS.map((unit) => (
        <Button key={unit} label={`The numbers are ${UNIT_NAMES[unit]}`} onClick={() => onUnit(unit)}>
          {UNIT_NAMES[unit]}
        </Button>
      ))}
    </ProblemNote>
  );
}

import { useState } from 'react';
import { labelTraces } from '../../api/selection';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { Dialog } from '../../components/dialog/Dialog';
import { useNotice } from '../../components/notices/notices';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { readLabel, type Label } from '../../lib/label';
import { proposedLabels } from '../../lib/proposedLabels';
import { problemOf, type Problem } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import styles from './LabelManyDialog.module.css';
import type { SelectionBody } from './selection';
import { traceCount } from './traceCount';

type Changes = Readonly<Record<string, string | null>>;

interface LabelManyDialogProps {
  readonly traces: SelectionBody;
  readonly count: number;
  /** Those of the selected traces that are on the page: their labels are offered for removal. */
  readonly rows: readonly Trace[];
  readonly onClose: () => void;
}

/** Sets labels of many traces, or removes them, all at once. */
export function LabelManyDialog({ traces, count, rows, onClose }: LabelManyDialogProps) {
  const [changes, setChanges] = useState<Changes>({});
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const say = useNotice();
  const apply = async (wanted: Changes) => {
    setBusy(true);
    try {
      say(`Changed the labels of ${traceCount(await labelTraces(traces, wanted))}.`);
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Label ${traceCount(count)}`} onClose={onClose}>
      <Proposals
        labels={rows.length === count ? proposedLabels(rows) : []}
        changes={changes}
        onChoose={(name, value) => setChanges(changed(changes, name, value))}
      />
      <LabelForm
        changes={changes}
        isBusy={isBusy}
        onChange={(name, value) => setChanges(changed(changes, name, value))}
        onApply={(wanted) => void apply(wanted)}
        onCancel={onClose}
      />
      <Removable
        names={labelNames(rows)}
        changes={changes}
        onToggle={(name, isRemoved) => setChanges(changed(changes, name, isRemoved ? null : undefined))}
      />
      {problem ? <ProblemNote problem={problem} /> : null}
    </Dialog>
  );
}

interface LabelFormProps {
  readonly changes: Changes;
  readonly isBusy: boolean;
  readonly onChange: (name: string, value: string | undefined) => void;
  readonly onApply: (changes: Changes) => void;
  readonly onCancel: () => void;
}

function LabelForm({ changes, isBusy, onChange, onApply, onCancel }: LabelFormProps) {
  const [typed, setTyped] = useState('');
  const [complaint, setComplaint] = useState<string | undefined>();
  /** Adds the text of the field, and returns all changes; nothing where the text is no label. */
  const read = (): Changes | undefined => {
    if (typed.trim() === '') return changes;
    const label = readLabel(typed);
    if (typeof label === 'string') {
      setComplaint(label);
      return undefined;
    }
    setComplaint(undefined);
    setTyped('');
    onChange(label.name, label.value);
    return changed(changes, label.name, label.value);
  };
  const isEmpty = Object.keys(changes).length === 0 && typed.trim() === '';
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = read();
        if (wanted && Object.keys(wanted).length > 0) onApply(wanted);
      }}
    >
      <div className={styles.line}>
        <input
          className={styles.input}
          data-takes-focus
          value={typed}
          maxLength={270}
          placeholder="board=rpi5"
          aria-label="Label to set, as name=value"
          aria-invalid={complaint !== undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button onClick={() => void read()}>Add another</Button>
      </div>
      {complaint === undefined ? null : (
        <p className={styles.complaint} role="alert">
          {complaint}
        </p>
      )}
      <ul className={styles.line} aria-label="Changes">
        {Object.entries(changes).map(([name, value]) => (
          <li key={name} className={styles.chip}>
            {value === null ? `− ${visibleText(name)}` : `+ ${visibleText(name)}=${visibleText(value)}`}
            <Button look="bare" label={`Undo ${visibleText(name)}`} onClick={() => onChange(name, undefined)}>
              ✕
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.answers}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button submits disabled={isBusy || isEmpty}>
          Apply
        </Button>
      </div>
    </form>
  );
}

interface ProposalsProps {
  readonly labels: readonly Label[];
  readonly changes: Changes;
  readonly onChoose: (name: string, value: string) => void;
}

/** What all the traces state in their names or recordings, to take over with a click. */
function Proposals({ labels, changes, onChoose }: ProposalsProps) {
  const open = labels.filter(({ name, value }) => changes[name] !== value);
  if (open.length === 0) return null;
  return (
    <div className={styles.proposals} role="group" aria-label="Proposed labels">
      <span className={styles.proposed}>Stated by all</span>
      {open.map(({ name, value }) => (
        <Button key={name} onClick={() => onChoose(name, value)}>
          + {visibleText(name)}={visibleText(value)}
        </Button>
      ))}
    </div>
  );
}

interface RemovableProps {
  readonly names: readonly string[];
  readonly changes: Changes;
  readonly onToggle: (name: string, isRemoved: boolean) => void;
}

function Removable({ names, changes, onToggle }: RemovableProps) {
  if (names.length === 0) return null;
  return (
    <fieldset className={styles.removable}>
      <legend>Remove</legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={changes[name] === null}
            onChange={(event) => onToggle(name, event.target.checked)}
          />
          {visibleText(name)}
        </label>
      ))}
    </fieldset>
  );
}

const labelNames = (rows: readonly Trace[]): readonly string[] =>
  [...new Set(rows.flatMap((trace) => Object.keys(trace.labels)))].toSorted();

/** The changes with one of them made, or unmade where there is no value. */
function changed(changes: Changes, name: string, value: string | null | undefined): Changes {
  const others = Object.entries(changes).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

import { useState } from 'react';
import { rawFileUrl, useChangeTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { useExportFormats } from '../../api/catalog';
import { ExportButton } from '../../components/export/ExportButton';
import { useKeys } from '../../components/keys/keys';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { CompareDialog } from './CompareDialog';
import { FactsLine } from './FactsLine';
import { LabelsEditor } from './LabelsEditor';
import styles from './TraceHead.module.css';

interface TraceHeadProps {
  readonly trace: Trace;
  readonly onDelete: () => void;
}

/** Name, labels and facts of the trace in two lines, and what can be done with the whole of it. */
export function TraceHead({ trace, onDelete }: TraceHeadProps) {
  const change = useChangeTrace(trace.id);
  const [isRenaming, setRenaming] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const exportFormats = useExportFormats();
  useKeys('Overview', [
    { keys: ['r', 'R'], does: 'Rename the trace', run: () => setRenaming(true) },
    { keys: ['n', 'N'], does: 'Compare with other traces', run: () => setComparing(true) },
  ]);
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        {isRenaming ? (
          <NameForm
            name={trace.name}
            onDone={(name) => {
              setRenaming(false);
              if (name !== undefined && name !== trace.name) change.mutate({ name });
            }}
          />
        ) : (
          <h1 className={styles.name}>
            {visibleText(trace.name)}
            <Button look="bare" label="Rename (r)" onClick={() => setRenaming(true)}>
              ✎
            </Button>
          </h1>
        )}
        <span className={styles.actions}>
          {trace.status === 'ready' ? (
            <>
              <Button onClick={() => setComparing(true)}>Compare with other traces…</Button>
              <ExportButton trace={trace} formats={exportFormats} look="plain" />
            </>
          ) : null}
          <a href={rawFileUrl(trace.id)} download>
            Download the file
          </a>
          <Button look="bare" onClick={onDelete}>
            Delete
          </Button>
        </span>
      </div>
      <div className={styles.line}>
        <FactsLine trace={trace} />
        <LabelsEditor
          name={trace.name}
          kernel={trace.kernel}
          labels={trace.labels}
          onChange={(labels) => change.mutate({ labels })}
        />
      </div>
      {isComparing ? <CompareDialog trace={trace} onClose={() => setComparing(false)} /> : null}
      {change.isError ? (
        <ProblemNote problem={problemOf(change.error)}>
          <Button onClick={() => change.reset()}>Dismiss</Button>
        </ProblemNote>
      ) : null}
    </header>
  );
}

interface NameFormProps {
  readonly name: string;
  /** With the new name, or nothing after a change of mind. */
  readonly onDone: (name: string | undefined) => void;
}

function NameForm({ name, onDone }: NameFormProps) {
  const [typed, setTyped] = useState(name);
  return (
    <form
      className={styles.rename}
      onSubmit={(event) => {
        event.preventDefault();
        onDone(typed.trim() === '' ? undefined : typed.trim());
      }}
    >
      <input
        ref={(input) => input?.focus()}
        value={typed}
        maxLength={200}
        aria-label="Name of the trace"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone(undefined);
        }}
      />
      <Button submits>Rename</Button>
      <Button look="bare" onClick={() => onDone(undefined)}>
        Cancel
      </Button>
    </form>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/button/Button';
import { useKeys } from '../../components/keys/keys';
import { Labels } from '../../components/labels/Labels';
import { readLabel } from '../../lib/label';
import { proposedLabels } from '../../lib/proposedLabels';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { tracesState } from '../../viewState/traces';
import styles from './LabelsEditor.module.css';

interface LabelsEditorProps {
  readonly name: string;
  readonly kernel: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** With the labels that change; `null` removes one. */
  readonly onChange: (labels: Readonly<Record<string, string | null>>) => void;
}

/** The labels of the trace, to follow and to edit. */
export function LabelsEditor({ name, kernel, labels, onChange }: LabelsEditorProps) {
  const [isEditing, setEditing] = useState(false);
  const navigate = useNavigate();
  useKeys('Labels', [{ keys: ['l', 'L'], does: 'Edit the labels', run: () => setEditing(true) }]);
  if (isEditing) {
    return (
      <LabelsForm
        name={name}
        kernel={kernel}
        labels={labels}
        onChange={onChange}
        onDone={() => setEditing(false)}
      />
    );
  }
  const showAll = (label: string) => {
    const search = tracesState.write({ ...tracesState.read({}).state, label });
    void navigate({ to: paths.traces(), search: search as never }); // routes come from a table, so the router cannot know their search types
  };
  return (
    <span className={styles.labels}>
      <span className={styles.title}>labels</span>
      <Labels labels={labels} onChoose={showAll} />
      <Button look="bare" label="Edit labels (l)" onClick={() => setEditing(true)}>
        +
      </Button>
    </span>
  );
}

function LabelsForm(props: LabelsEditorProps & { readonly onDone: () => void }) {
  const { labels, onChange, onDone } = props;
  const [typed, setTyped] = useState('');
  const [complaint, setComplaint] = useState<string | undefined>();
  const add = () => {
    if (typed.trim() === '') return onDone();
    const label = readLabel(typed);
    if (typeof label === 'string') return setComplaint(label);
    onChange(Object.fromEntries([[label.name, label.value]]));
    setComplaint(undefined);
    return setTyped('');
  };
  return (
    <form
      className={styles.labels}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      {Object.entries(labels).map(([name, value]) => (
        <span key={name} className={styles.edited}>
          {visibleText(name)}={visibleText(value)}
          <Button
            look="bare"
            label={`Remove ${visibleText(name)}`}
            onClick={() => onChange(Object.fromEntries([[name, null]]))}
          >
            ✕
          </Button>
        </span>
      ))}
      <input
        ref={(input) => input?.focus()}
        className={styles.input}
        value={typed}
        maxLength={270}
        placeholder="board=rpi5"
        aria-label="New label, as name=value"
        aria-invalid={complaint !== undefined}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone();
        }}
      />
      {proposedLabels([props])
        .filter(({ name }) => labels[name] === undefined)
        .map(({ name, value }) => (
          <Button
            key={name}
            label={`Take over ${visibleText(name)}=${visibleText(value)}, as the trace states`}
            onClick={() => onChange(Object.fromEntries([[name, value]]))}
          >
            + {visibleText(name)}={visibleText(value)}
          </Button>
        ))}
      <Button submits>Add</Button>
      <Button look="bare" onClick={onDone}>
        Done
      </Button>
      {complaint === undefined ? null : (
        <p className={styles.complaint} role="alert">
          {complaint}
        </p>
      )}
    </form>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CompareRequest, Comparison } from '../../api/compare';
import { changeExperiment, saveExperiment, type Experiment } from '../../api/experiments';
import { Button } from '../../components/button/Button';
import { ExperimentDialog } from '../../components/experiment/ExperimentDialog';
import { useNotice } from '../../components/notices/notices';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import type { CompareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import styles from './Compare.module.css';
import { measureName } from '../../components/compare/measureName';
import { CompareExport } from './CompareExport';
import { isChanged, savedOf } from './savedState';

interface ExperimentBarProps {
  readonly state: CompareState;
  readonly asked: CompareRequest;
  readonly answer: Comparison | undefined;
  readonly saved?: Experiment;
}

type Dialog = 'new' | 'words' | undefined;

/** What the comparison is saved as, or the way to save it, here or in a file. */
export function ExperimentBar({ state, asked, answer, saved }: ExperimentBarProps) {
  const [dialog, setDialog] = useState<Dialog>();
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const say = useNotice();
  const what = savedOf(state, asked);
  const open = (slug: string, replace = false) => navigate({ to: paths.experiment(slug), replace });
  const saveChanges = async ({ slug }: Experiment) => {
    setBusy(true);
    try {
      await changeExperiment(slug, what);
      await open(slug, true);
      say('Saved.');
    } catch (error) {
      const { title, detail } = problemOf(error);
      say(`Not saved. ${detail ?? title}`);
    } finally {
      setBusy(false);
    }
  };
  const isOther = saved !== undefined && isChanged(state, saved);
  return (
    <div className={styles.experiment} role="toolbar" aria-label="Experiment">
      {saved ? <SavedName saved={saved} onEdit={() => setDialog('words')} /> : null}
      {saved && isOther ? (
        <>
          <span className={styles.quiet}>changed since it was saved</span>
          <Button disabled={isBusy} onClick={() => void saveChanges(saved)}>
            Save changes
          </Button>
          <Button look="bare" onClick={() => void open(saved.slug)}>
            Undo changes
          </Button>
        </>
      ) : null}
      {saved === undefined || isOther ? (
        <Button onClick={() => setDialog('new')}>{saved ? 'Save as…' : 'Save…'}</Button>
      ) : null}
      <CompareExport asked={asked} answer={answer} />
      {dialog === 'new' ? (
        <ExperimentDialog
          title="Save this experiment"
          deed="Save"
          words={{ name: proposedName(asked), note: '' }}
          onSave={async (words) => {
            const { slug } = await saveExperiment({ ...words, ...what });
            await open(slug);
            say('Saved. Its address is a permalink.');
          }}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
      {dialog === 'words' && saved ? (
        <ExperimentDialog
          title="Name and note"
          deed="Save"
          words={saved}
          onSave={async (words) => void (await changeExperiment(saved.slug, words))}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
    </div>
  );
}

interface SavedNameProps {
  readonly saved: Experiment;
  readonly onEdit: () => void;
}

function SavedName({ saved, onEdit }: SavedNameProps) {
  return (
    <span className={styles.savedName}>
      <strong>{visibleText(saved.name)}</strong>
      <Button look="bare" label="Change name and note" onClick={onEdit}>
        ✎
      </Button>
      {saved.note === '' ? null : <span className={styles.savedNote}>{linesOf(saved.note)}</span>}
    </span>
  );
}

/** A note keeps its lines. */
const linesOf = (note: string) =>
  note
    .split('\n')
    .map((line) => visibleText(line))
    .join('\n');

/** More names than these make no sentence. */
const MOST_NAMES = 3;

function proposedName({ variants, kind, key }: CompareRequest): string {
  const names = variants.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = variants.length > MOST_NAMES ? ' …' : '';
  return `${names.join(' vs ')}${more}: ${measureName({ kind, key })}`.slice(0, 200);
}

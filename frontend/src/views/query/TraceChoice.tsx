import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { foundTracesQuery, traceQuery } from '../../api/traces';
import { Palette } from '../../components/palette/Palette';
import { traceNote } from '../../components/palette/traceNote';
import { useServerWord } from '../../components/palette/useServerWord';
import { Choice } from '../../components/toolbar/Choice';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import styles from './Query.module.css';

interface TraceChoiceProps {
  /** The traces that are `$1`. */
  readonly chosen: readonly string[];
  readonly onChoose: (id: string) => void;
}

/** What `$1` is, by name; a click searches all traces for another. */
export function TraceChoice({ chosen, onChoose }: TraceChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const name = useChosenName(chosen);
  return (
    <>
      <Choice name="$1 =">
        <button
          type="button"
          className={styles.trace}
          aria-label={`$1 = ${name}`}
          aria-haspopup="dialog"
          title={name}
          onClick={() => setOpen(true)}
        >
          <span>{name}</span>
          <span aria-hidden>▾</span>
        </button>
      </Choice>
      {isOpen ? <TracePalette onChoose={onChoose} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function useChosenName(chosen: readonly string[]): string {
  const [id = ''] = chosen;
  const trace = useQuery({ ...traceQuery(id), enabled: chosen.length === 1 });
  if (chosen.length > 1) return `${groupDigits(chosen.length)} traces`;
  if (id === '') return 'no trace';
  return trace.data === undefined && trace.isPending ? '…' : visibleText(trace.data?.name ?? id);
}

interface TracePaletteProps {
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}

/** Mounted while it is open, so that each time begins with an empty field. */
function TracePalette({ onChoose, onClose }: TracePaletteProps) {
  const [query, setQuery] = useState('');
  const { word, settled } = useServerWord(query);
  const found = useQuery(foundTracesQuery(settled));
  const ready = (found.data ?? []).filter(({ status }) => status === 'ready');
  return (
    <Palette
      title="The trace of $1"
      label="Search traces"
      placeholder="Traces by name, kernel or label …"
      items={ready.map((trace) => ({
        id: trace.id,
        kind: 'trace',
        title: visibleText(trace.name),
        note: traceNote(trace),
        run: () => onChoose(trace.id),
      }))}
      query={query}
      onQuery={setQuery}
      isSearching={settled !== word || found.isFetching}
      onClose={onClose}
    />
  );
}

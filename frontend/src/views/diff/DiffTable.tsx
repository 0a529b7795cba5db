import { useEffect, useRef, type KeyboardEvent } from 'react';
import styles from './DiffTable.module.css';
import { DiffTableRow } from './DiffTableRow';
import type { DiffRow } from './diffTree';
import { nextRow, type TreeView } from './treeKeys';

interface DiffTableProps {
  readonly view: TreeView;
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  readonly hasSet: boolean;
  readonly kind: 'calls' | 'events';
  readonly onSelect: (row: number) => void;
  readonly onHover: (row: number | undefined) => void;
  readonly onToggle: (row: DiffRow) => void;
}

/** The merged tree with its numbers; the arrow keys walk through it, open and close rows, and choose. */
export function DiffTable(props: DiffTableProps) {
  const { view, selected, hovered, hasSet, kind } = props;
  const { shown } = view;
  const body = useRef<HTMLTableSectionElement>(null);
  const current = shown.some(({ id }) => id === selected) ? selected : shown[0]?.id;
  useEffect(() => {
    if (selected !== undefined) elementOf(body.current, selected)?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    const from = shown.find(({ id }) => id === current);
    const step = from && nextRow(view, from, event.key);
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (step.toggled) props.onToggle(step.toggled);
    if (step.to === undefined) return;
    props.onSelect(step.to);
    elementOf(body.current, step.to)?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.frame}>
      <table
        className={styles.tree}
        role="treegrid" // oxlint-disable-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a tree of rows with columns is one, and no element is
        aria-label={kind === 'calls' ? 'Calls of both sides' : 'Events of both sides'}
        data-set={hasSet}
      >
        <Heads kind={kind} hasSet={hasSet} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys arrive here from the rows, which have the focus */}
        <tbody ref={body} onKeyDown={onKeyDown} onPointerLeave={() => props.onHover(undefined)}>
          {shown.map((row) => (
            <DiffTableRow
              key={row.id}
              row={row}
              openness={view.openness(row)}
              isSelected={row.id === selected}
              isHovered={row.id === hovered}
              isCurrent={row.id === current}
              hasSet={hasSet}
              onSelect={props.onSelect}
              onHover={props.onHover}
              onToggle={props.onToggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heads({ kind, hasSet }: Pick<DiffTableProps, 'kind' | 'hasSet'>) {
  return (
    <thead>
      <tr>
        <th scope="col">{kind === 'calls' ? 'function' : 'event'}</th>
        <th scope="col">abnormal, µs</th>
        <th scope="col">normal, µs</th>
        <th scope="col">delta, µs</th>
        <th scope="col" title="Without what it calls; all of them together are the whole difference">
          self Δ, µs
        </th>
        {hasSet ? <SetHeads /> : null}
      </tr>
    </thead>
  );
}

function SetHeads() {
  return (
    <>
      <th scope="col" title="In how many of the abnormal instances it is there">
        in abnormal
      </th>
      <th scope="col" title="In how many of the normal instances it is there">
        in normal
      </th>
      <th scope="col" title="Median of the normal instances">
        median, µs
      </th>
      <th scope="col" title="From the normal median, in median absolute deviations">
        MADs away
      </th>
    </>
  );
}

const elementOf = (body: HTMLElement | null, id: number) =>
  body?.querySelector<HTMLElement>(`tr[data-row='${id}']`);

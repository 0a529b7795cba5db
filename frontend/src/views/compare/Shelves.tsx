import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { QuantumShelf, QuantumShelves, VariantShelves } from '../../api/compare';
import { CauseSwatch } from '../../components/cause/Cause';
import { groupColour } from '../../components/distribution/distributionOption';
import { Panel } from '../../components/panel/Panel';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Count, Duration } from '../../components/Quantity';
import { Table, type Column } from '../../components/table/Table';
import { useTheme } from '../../components/theme/theme';
import type { Colour } from '../../lib/colour';
import { groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { SideScroll } from './SideScroll';
import styles from './Compare.module.css';
import { shelfRange } from './shelfMarks';

/** The shelves of counts of work per quantum: how far each lies below the top, and what makes it. */
export function Shelves({ query }: { readonly query: UseQueryResult<QuantumShelves> }) {
  const { name } = useTheme();
  const { data } = query;
  const rows = useMemo(() => data?.variants.flatMap(rowsOf) ?? [], [data]);
  const columns = useMemo(() => shelfColumns((index) => groupColour(index, name)), [name]);
  return (
    <Panel title="Shelves" note={data && topNote(data)}>
      <FailedQuery query={query} />
      {data?.notes.map((note) => (
        <p key={note} className={styles.note}>
          {visibleText(note)}
        </p>
      ))}
      {query.isPending || rows.length > 0 ? (
        <SideScroll label="Table of shelves">
          <Table
            label="Shelves"
            columns={columns}
            rows={rows}
            keyOf={({ variant, shelf }) => `${variant.name} ${shelf.low}`}
            skeleton={query.isPending ? 3 : 0}
          />
        </SideScroll>
      ) : null}
      {data && rows.length === 0 ? (
        <p className={styles.note}>
          No plateau holds a hundredth of the quanta, and at least ten of them: there are too few.
        </p>
      ) : null}
      {data ? <Ticks variants={data.variants} /> : null}
    </Panel>
  );
}

interface Row {
  readonly variant: VariantShelves;
  readonly index: number;
  readonly shelf: QuantumShelf;
}

const rowsOf = (variant: VariantShelves, index: number): readonly Row[] =>
  variant.shelves.map((shelf) => ({ variant, index, shelf }));

function topNote({ top, top_variant: variant }: QuantumShelves): string | undefined {
  if (top === null || variant === null) return undefined;
  return `measured from ${groupDigits(top)}, the upper edge of the highest (${visibleText(variant)})`;
}

function shelfColumns(colourOf: (index: number) => Colour): readonly Column<Row>[] {
  return [
    {
      id: 'variant',
      title: 'Variant',
      cell: ({ variant, index }) => (
        <span className={styles.variant}>
          <span className={styles.swatch} style={{ backgroundColor: colourOf(index) }} aria-hidden />
          {visibleText(variant.name)}
        </span>
      ),
    },
    { id: 'counts', title: 'Counts', isNumber: true, cell: ({ shelf }) => shelfRange(shelf) },
    {
      id: 'share',
      title: 'of the quanta',
      isNumber: true,
      cell: ({ shelf }) => (
        <span title={`${groupDigits(shelf.quanta)} quanta`}>{percentText(shelf.share, 1)}</span>
      ),
    },
    {
      id: 'at_most',
      title: 'here or below',
      isNumber: true,
      rank: 2,
      cell: ({ shelf }) => percentText(shelf.at_most_share, 1),
    },
    {
      id: 'below',
      title: 'below the top',
      isNumber: true,
      rank: 1,
      cell: ({ shelf }) => (shelf.state === 'top' ? '–' : <Count value={shelf.below} />),
    },
    {
      id: 'lost',
      title: 'taken',
      isNumber: true,
      cell: ({ shelf }) =>
        shelf.state === 'top' || shelf.below_ns === null ? '–' : <Duration value={ns(shelf.below_ns)} />,
    },
    { id: 'what', title: 'What took it', isSentence: true, cell: ({ shelf }) => <Reason shelf={shelf} /> },
  ];
}

function Reason({ shelf }: { readonly shelf: QuantumShelf }) {
  if (shelf.state === 'explained' || shelf.state === 'ambiguous') {
    return (
      <span className={styles.reasons}>
        {shelf.state === 'ambiguous' ? <span className={styles.quiet}>one of these; several fit</span> : null}
        {shelf.causes.map((together) => (
          <span key={together.map(({ called }) => called).join()} className={styles.reasons}>
            {together.map((one) => (
              <span key={one.called} className={styles.reason}>
                <CauseSwatch cause={one.cause} what={one.what ?? ''} />
                <span>
                  {visibleText(one.called)}{' '}
                  <span className={styles.quiet}>
                    {`${one.per_s.toFixed(0)} a second, `}
                    <Duration value={ns(one.mean_ns)} />
                    {' between its events'}
                  </span>
                </span>
              </span>
            ))}
          </span>
        ))}
      </span>
    );
  }
  return <span className={styles.quiet}>{STATES[shelf.state]}</span>;
}

const STATES = {
  top: 'the most work in a quantum',
  unexplained: 'no record of what took it',
  untraced: 'no trace in this variant',
  unscaled: 'the length of a quantum is not known',
} as const;

/** The tick by the shelves and by the trace, and why they differ. */
function Ticks({ variants }: { readonly variants: readonly VariantShelves[] }) {
  const ticking = variants.flatMap(({ name, tick }) => (tick === null ? [] : [{ name, tick }]));
  if (ticking.length === 0) return null;
  return (
    <ul className={styles.ticks} aria-label="The tick, by the shelves and by the trace">
      {ticking.map(({ name, tick }) => (
        <li key={name}>
          <span className={styles.quiet}>{`${visibleText(name)}: the tick `}</span>
          {[tick.product, ...(tick.trace_product === null ? [] : [`${tick.trace_product} by the trace`])]
            .map(visibleText)
            .join('; ')}
          <details className={styles.why}>
            <summary>Why they differ</summary>
            <ul>
              {tick.why.map((sentence) => (
                <li key={sentence}>{sentenceText(sentence)}</li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  );
}

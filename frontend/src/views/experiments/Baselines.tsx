import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { baselinesQuery, deleteBaseline, type BaselineItem } from '../../api/baselines';
import { Button } from '../../components/button/Button';
import { heldText } from '../../components/experiment/baselineTexts';
import { DeleteBaselineDialog } from '../../components/experiment/DeleteBaselineDialog';
import { HelpLink } from '../../components/HelpLink';
import { useNotice } from '../../components/notices/notices';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Table } from '../../components/table/Table';
import { ViewLink } from '../../components/ViewLink';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { baselineColumns } from './baselineColumns';
import styles from './ExperimentsView.module.css';

interface BaselinesProps {
  readonly q: string;
  readonly onShowAll: () => void;
}

/** The runs that people saved to check others against, the last changed first. */
export function Baselines({ q, onShowAll }: BaselinesProps) {
  const [asked, setAsked] = useState<BaselineItem>();
  const say = useNotice();
  const list = useQuery(baselinesQuery);
  const all = list.data?.items ?? [];
  const rows = all.filter((one) => isFound(one, q));
  return (
    <>
      <FailedQuery query={list} />
      {list.isPending || rows.length > 0 ? (
        <div className={styles.list}>
          <Table
            label="Baselines"
            columns={baselineColumns(setAsked)}
            rows={rows}
            keyOf={({ slug }) => slug}
            skeleton={list.isPending ? 4 : 0}
          />
          <p className={styles.foot}>
            {'Each opens as the trend of its runs, with the check of the last one. '}
            <HelpLink page="api" section="against-a-baseline" title="Checks against a baseline, by REST">
              Checks in a job
            </HelpLink>
            {' name it by its address.'}
          </p>
        </div>
      ) : null}
      {list.isSuccess && rows.length === 0 ? (
        <Nothing isEmpty={all.length === 0} onShowAll={onShowAll} />
      ) : null}
      {asked ? (
        <DeleteBaselineDialog
          slug={asked.slug}
          onDelete={async (slug) => {
            await deleteBaseline(slug);
            say(`Deleted ${visibleText(asked.name)}.`);
          }}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </>
  );
}

function isFound(baseline: BaselineItem, q: string): boolean {
  const { slug, name, note } = baseline;
  const text = [slug, name, note, heldText(baseline)].join(' ').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Nothing({ isEmpty, onShowAll }: { readonly isEmpty: boolean } & Pick<BaselinesProps, 'onShowAll'>) {
  if (!isEmpty) {
    return (
      <section className={styles.empty}>
        <h2>No baseline matches</h2>
        <p>The search covers names, notes, addresses and labels; every word must occur in one of them.</p>
        <div>
          <Button onClick={onShowAll}>Show all baselines</Button>
        </div>
      </section>
    );
  }
  return (
    <section className={styles.empty}>
      <h2>No baselines yet</h2>
      <p>
        A baseline keeps runs that you trust under a name, and later runs are checked against their numbers.
        Select the runs in the list of traces, press <strong>Trend</strong>, and{' '}
        <strong>Save as baseline</strong>.
      </p>
      <div className={styles.ways}>
        <ViewLink to={paths.traces()}>Select traces</ViewLink>
        <ViewLink to={paths.help('experiments')} hash="trend">
          More about trends and baselines
        </ViewLink>
      </div>
    </section>
  );
}

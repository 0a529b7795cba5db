import { useState } from 'react';
import { changeExperiment, useExperiments, type ExperimentItem } from '../../api/experiments';
import { Button } from '../../components/button/Button';
import { ExperimentDialog } from '../../components/experiment/ExperimentDialog';
import { HowToCompare } from '../../components/experiment/HowToCompare';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Table } from '../../components/table/Table';
import { DeleteExperimentDialog } from './DeleteExperimentDialog';
import { experimentColumns } from './experimentColumns';
import styles from './ExperimentsView.module.css';

/** What was asked for about one of them. */
interface Asked {
  readonly deed: 'rename' | 'delete';
  readonly experiment: ExperimentItem;
}

interface ComparisonsProps {
  readonly q: string;
  readonly onShowAll: () => void;
}

/** The comparisons that people saved, the last changed first. */
export function Comparisons({ q, onShowAll }: ComparisonsProps) {
  const [asked, setAsked] = useState<Asked | undefined>();
  const list = useExperiments(q);
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const columns = experimentColumns((deed, experiment) => setAsked({ deed, experiment }));
  const close = () => setAsked(undefined);
  return (
    <>
      <FailedQuery query={list} />
      {list.isPending || rows.length > 0 ? (
        <div className={styles.list}>
          <Table
            label="Experiments"
            columns={columns}
            rows={rows}
            keyOf={({ slug }) => slug}
            skeleton={list.isPending ? 4 : 0}
          />
        </div>
      ) : null}
      {list.isSuccess && rows.length === 0 ? (
        q === '' ? (
          <HowToCompare title="No experiments yet" />
        ) : (
          <NothingFound onShowAll={onShowAll} />
        )
      ) : null}
      {list.hasNextPage ? (
        <div className={styles.more}>
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more experiments
          </Button>
        </div>
      ) : null}
      {asked?.deed === 'rename' ? (
        <ExperimentDialog
          title="Name and note"
          deed="Save"
          words={asked.experiment}
          onSave={async (words) => void (await changeExperiment(asked.experiment.slug, words))}
          onClose={close}
        />
      ) : null}
      {asked?.deed === 'delete' ? (
        <DeleteExperimentDialog experiment={asked.experiment} onClose={close} />
      ) : null}
    </>
  );
}

function NothingFound({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <section className={styles.empty}>
      <h2>No experiment matches</h2>
      <p>The search covers names, notes and addresses; every word must occur in one of them.</p>
      <div>
        <Button onClick={onShowAll}>Show all experiments</Button>
      </div>
    </section>
  );
}

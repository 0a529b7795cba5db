import { paths } from '../viewState/paths';
import { queryState, type PlotKind } from '../viewState/query';
import styles from './SqlLink.module.css';
import { ViewLink } from './ViewLink';

interface SqlLinkProps {
  readonly traceId: string;
  readonly sql: string;
  /** What the statement gives, in the plural: `the statistics`. */
  readonly what: string;
  readonly limit?: number;
  readonly plot?: PlotKind;
}

/** Opens the query page on the statement that gives the numbers of a panel. */
export function SqlLink({ traceId, sql, what, limit, plot = 'none' }: SqlLinkProps) {
  const search = queryState.write({ sql, traces: [traceId], limit, plot });
  return (
    <ViewLink
      className={styles.link}
      to={paths.query()}
      search={search}
      title={`Show ${what} as an SQL statement`}
    >
      As SQL
    </ViewLink>
  );
}

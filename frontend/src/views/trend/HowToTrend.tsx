import { WithExample } from '../../components/docs/WithExample';
import { KeyWords } from '../../components/keys/KeyHint';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import { samplesSearch } from '../../viewState/traces';

/** What a trend is, how one is made, and how it looks. */
export function HowToTrend() {
  return (
    <WithExample
      picture="pictures/trend.png"
      text="A trend: the sentence, a point for each run, and the change with its runs before and after"
      caption="An example: the nightly at which p99 rose for good"
      ways={
        <>
          <ViewLink to={paths.traces()}>All traces</ViewLink>
          <ViewLink to={paths.traces()} search={samplesSearch}>
            Try it with the samples
          </ViewLink>
          <ViewLink to={paths.help('experiments')} hash="trend">
            More about trends
          </ViewLink>
        </>
      }
    >
      <h1>No traces selected</h1>
      <p>
        A trend follows one number over many runs: nightlies, or a run for each commit. One sentence says
        where the number changed for good, from what to what, and what else differs there.
      </p>
      <ol>
        <li>
          <strong>Upload</strong> the recordings, or what cyclictest, rtla or ftq printed. A change is found
          where at least five runs are on each side of it.
        </li>
        <li>
          <strong>Select</strong> them in the list of traces, with the boxes at their left
          <KeyWords>
            {' '}
            or with <kbd>x</kbd>
          </KeyWords>
          , and press <strong>Trend</strong>. If you select all with a label, the link shows the next run,
          too.
        </li>
        <li>
          <strong>Save as baseline</strong> keeps the runs that you trust, and <strong>Check</strong> holds
          later ones against them.
        </li>
      </ol>
    </WithExample>
  );
}

import type { ReactNode } from 'react';
import { samplesSearch } from '../../viewState/traces';
import { paths } from '../../viewState/paths';
import { WithExample } from '../docs/WithExample';
import { KeyWords } from '../keys/KeyHint';
import { ViewLink } from '../ViewLink';

interface HowToCompareProps {
  readonly title: string;
  /** The title is all that the page has for a heading. */
  readonly isPage?: boolean;
  /** Further ways out. */
  readonly children?: ReactNode;
}

/** What a comparison of traces is, how one is made, and how it looks: for pages that have none yet. */
export function HowToCompare({ title, isPage, children }: HowToCompareProps) {
  const Title = isPage === true ? 'h1' : 'h2';
  return (
    <WithExample
      picture="pictures/experiment.png"
      text="A comparison: the sentence, a row of numbers for each group, and both distributions on one scale"
      caption="An example: five runs of cyclictest before a change, and five after it"
      ways={
        <>
          <ViewLink to={paths.traces()}>Select traces</ViewLink>
          <ViewLink to={paths.traces()} search={samplesSearch}>
            Try it with the samples
          </ViewLink>
          <ViewLink to={paths.help('experiments')}>More about experiments</ViewLink>
          {children}
        </>
      }
    >
      <Title>{title}</Title>
      <p>
        An experiment compares groups of traces: runs before and after a patch, with and without a tick, idle
        and loaded. One sentence says what changed, by how much and how sure that is. The table, the
        distributions and what took the CPUs are below it.
      </p>
      <ol>
        <li>
          <strong>Upload</strong> at least one recording of each group, or what cyclictest, rtla or ftq
          printed. Five of each show how much runs differ by themselves.
        </li>
        <li>
          <strong>Select</strong> them in the list of traces, with the boxes at their left
          <KeyWords>
            {' '}
            or with <kbd>x</kbd>
          </KeyWords>
          , and press <strong>Compare</strong>. A label, or the word in which their names differ, splits them
          into groups.
        </li>
        <li>
          <strong>Save…</strong> gives the comparison a name, a note and a permalink, and lists it under
          Experiments.
        </li>
      </ol>
    </WithExample>
  );
}

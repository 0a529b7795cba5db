import type { Normals } from '../../api/diff';
import { Command } from '../../components/Command';
import { WithExample } from '../../components/docs/WithExample';
import { ViewLink } from '../../components/ViewLink';
import { recordCallsCommand } from '../../lib/recording';
import { paths } from '../../viewState/paths';

/** How a recording to compare with is made, and what a comparison shows. */
export function HowToFindNormal({ normals }: { readonly normals: Normals }) {
  const command = normals.function === null ? undefined : recordCallsCommand(normals.function);
  return (
    <WithExample
      picture="pictures/compare.png"
      text="A comparison: a slow timer interrupt above a normal one on one time scale, and the calls that differ"
      caption="An example: a slow timer interrupt above a normal one, and the calls that only the slow one made"
    >
      <h2>How to record a normal run</h2>
      <ol>
        <li>
          <strong>Record</strong> the same again when nothing is late, with the same tracer and events. If the
          recording has several {normals.function === null ? 'cases' : 'calls'}, the median is compared.
        </li>
        <li>
          <strong>Upload</strong> the recording in the <ViewLink to={paths.traces()}>list of traces</ViewLink>
          .
        </li>
        <li>
          <strong>Come back</strong> to this page: the recording is listed here, and one click compares with
          it.
        </li>
      </ol>
      {command === undefined ? null : <Command text={command} />}
      <p>
        <ViewLink to={paths.help('recording')}>What to record for which question</ViewLink>
      </p>
      <p>
        <ViewLink to={paths.help('diff')}>How to read a comparison</ViewLink>
      </p>
    </WithExample>
  );
}

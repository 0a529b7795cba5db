import type { Comparison, CompareRequest, OfferedMeasure, SelectedVariant } from '../../api/compare';
import { Panel } from '../../components/panel/Panel';
import { ViewLink } from '../../components/ViewLink';
import { visibleText } from '../../lib/visibleText';
import { diffState } from '../../viewState/diff';
import { paths } from '../../viewState/paths';
import { CLASS_NAMES } from '../../viewState/trace';
import { groupedBy, groupOf, slowFrom, type GroupedBy } from './caseGroups';
import styles from './Compare.module.css';

interface CaseGroupsProps {
  readonly answer: Comparison;
  readonly variants: readonly SelectedVariant[];
  readonly measures: readonly OfferedMeasure[];
  readonly asked: CompareRequest;
}

/** Ways to the cases of one variant against those of the first: what only one of them does, and in how many. */
export function CaseGroups({ answer, variants, measures, asked }: CaseGroupsProps) {
  const by = groupedBy(asked, measures, answer.causes);
  const [first, ...others] = variants;
  if (by === undefined || first === undefined || others.length === 0) return null;
  return (
    <Panel
      title="Cases against cases"
      note={`${visibleText(by.kind)}${tasksOf(by)}: events and waits that one side lacks, and in how many cases`}
    >
      <ul className={styles.groups}>
        {others.map((variant) => (
          <li key={variant.name}>
            <Sides title="all cases" sides={[variant, first]} by={by} asked={asked} answer={answer} />
            {asked.kind === by.kind ? (
              <Sides
                title="the slowest 1 %"
                isSlow
                sides={[variant, first]}
                by={by}
                asked={asked}
                answer={answer}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** ` of cyclictest (real-time)`; nothing where all tasks are meant. */
function tasksOf({ comm, priority }: GroupedBy): string {
  const classes = priority.map((one) => CLASS_NAMES[one]).join(', ');
  const named = comm === '' ? '' : ` of ${visibleText(comm)}`;
  return classes === '' ? named : `${named} (${classes})`;
}

interface SidesProps extends Pick<CaseGroupsProps, 'answer' | 'asked'> {
  readonly title: string;
  readonly isSlow?: boolean;
  /** What is compared with the other. */
  readonly sides: readonly [SelectedVariant, SelectedVariant];
  readonly by: GroupedBy;
}

function Sides({ title, isSlow = false, sides, by, asked, answer }: SidesProps) {
  const [abnormal, normal] = sides.map((side) => {
    const card = answer.variants.find(({ name }) => name === side.name);
    const least = isSlow && card ? slowFrom(asked, card) : undefined;
    return isSlow && least === undefined ? undefined : groupOf(side, by, asked.cpu, least);
  });
  if (abnormal === undefined || normal === undefined) return null;
  const search = diffState.write({ ...diffState.read({}).state, abnormal, normal });
  const [one, other] = sides.map(({ name }) => visibleText(name));
  return (
    <ViewLink to={paths.diff()} search={search}>
      {`${one} against ${other}: ${title}`}
    </ViewLink>
  );
}

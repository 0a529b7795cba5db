import type { SelectedVariant } from '../../api/compare';
import { Button } from '../../components/button/Button';
import { Panel } from '../../components/panel/Panel';
import { ViewLink } from '../../components/ViewLink';
import { Choice } from '../../components/toolbar/Choice';
import { distinctNames, splitsOf, type Variant } from '../../lib/variants';
import { visibleText } from '../../lib/visibleText';
import type { CompareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import { trendState } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './Compare.module.css';

interface VariantsPanelProps {
  readonly variants: readonly SelectedVariant[];
  /** The same as the address has them. */
  readonly known: readonly Variant[];
  readonly state: CompareState;
  readonly setState: SetViewState<CompareState>;
}

/** Which traces are in which variant: parted anew, renamed, left out. */
export function VariantsPanel({ variants, known, state, setState }: VariantsPanelProps) {
  const listed = variants.map(({ name, traces }): Variant => {
    const labels = known.find((one) => one.name === name)?.labels;
    return { name, traces: traces.map(({ id }) => id), ...(labels && { labels }) };
  });
  const change = (next: readonly Variant[]) => setState({ variants: next }, { history: 'push' });
  return (
    <Panel
      title="Variants"
      note="all others are compared with the first"
      actions={
        <span className={styles.ways}>
          <TrendLink listed={listed} state={state} />
          <SplitChoice variants={variants} listed={listed} onChange={change} />
        </span>
      }
    >
      <ol className={styles.variants}>
        {variants.map((variant, at) => (
          <VariantItem key={variant.name} variant={variant} at={at} listed={listed} onChange={change} />
        ))}
      </ol>
    </Panel>
  );
}

interface TrendLinkProps {
  readonly listed: readonly Variant[];
  readonly state: CompareState;
}

/** The same traces side by side in their order. */
function TrendLink({ listed, state: { kind, key, cpu, comm, priority } }: TrendLinkProps) {
  const traces = [...new Set(listed.flatMap((variant) => variant.traces))];
  const search = trendState.write({ ...trendState.read({}).state, traces, kind, key, cpu, comm, priority });
  return (
    <ViewLink to={paths.trend()} search={search} title="One number of all these traces in their order">
      Trend
    </ViewLink>
  );
}

interface SplitChoiceProps extends Pick<VariantsPanelProps, 'variants'> {
  readonly listed: readonly Variant[];
  readonly onChange: (variants: readonly Variant[]) => void;
}

/** The same traces parted in another way. */
function SplitChoice({ variants, listed, onChange }: SplitChoiceProps) {
  const splits = splitsOf(variants.flatMap(({ traces }) => traces));
  const same = splits.flatMap((split, at) => (isSame(split.variants, listed) ? [at] : []));
  // Two labels may part the traces alike: the names of the variants say which one does.
  const shown = same.find((at) => namesOf(splits[at]?.variants ?? []) === namesOf(listed)) ?? same[0] ?? -1;
  return (
    <Choice name="split by">
      <select
        value={shown === -1 ? '' : shown}
        onChange={({ target }) => {
          const split = splits[Number(target.value)];
          if (target.value !== '' && split) onChange(split.variants);
        }}
      >
        {shown === -1 ? <option value="">as chosen</option> : null}
        {splits.map(({ title }, at) => (
          <option key={title} value={at}>
            {visibleText(title)}
          </option>
        ))}
      </select>
    </Choice>
  );
}

/** The same groups, whatever they are called and which is the first. */
const isSame = (one: readonly Variant[], other: readonly Variant[]) => groupsOf(one) === groupsOf(other);

const groupsOf = (variants: readonly Variant[]) =>
  variants
    .map(({ traces }) => traces.toSorted().join(','))
    .toSorted()
    .join(';');

const namesOf = (variants: readonly Variant[]) =>
  variants
    .map(({ name }) => name)
    .toSorted()
    .join(';');

interface VariantItemProps {
  readonly variant: SelectedVariant;
  readonly at: number;
  readonly listed: readonly Variant[];
  readonly onChange: (variants: readonly Variant[]) => void;
}

function VariantItem({ variant, at, listed, onChange }: VariantItemProps) {
  const others = listed.filter((_, index) => index !== at);
  const own = listed[at];
  const rename = (typed: string) => {
    const name = typed.trim().slice(0, 200);
    if (own === undefined || name === '' || name === own.name) return;
    onChange(distinctNames(listed.map((one) => (one === own ? { ...one, name } : one))));
  };
  const leaveOut = (id: string) =>
    onChange(
      listed
        // Without one of them it is no longer all traces with the labels.
        .map((one) =>
          one === own ? { name: one.name, traces: one.traces.filter((trace) => trace !== id) } : one,
        )
        .filter(({ traces, labels }) => traces.length > 0 || labels !== undefined),
    );
  return (
    <li className={styles.item}>
      <span className={styles.row}>
        <input
          className={styles.name}
          defaultValue={variant.name}
          aria-label={`Name of variant ${at + 1}`}
          onBlur={({ target }) => rename(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
        {at === 0 ? (
          <span className={styles.quiet}>baseline</span>
        ) : (
          <Button look="bare" onClick={() => own && onChange([own, ...others])}>
            Make baseline
          </Button>
        )}
        {listed.length > 1 ? (
          <Button look="bare" label={`Leave out ${variant.name}`} onClick={() => onChange(others)}>
            Leave out
          </Button>
        ) : null}
      </span>
      {own?.labels ? (
        <p className={styles.quiet}>
          {`all traces labelled ${Object.entries(own.labels)
            .map(([name, value]) => visibleText(`${name}=${value}`))
            .join(', ')}${variant.traces.length === 0 ? ': there is none' : ''}`}
        </p>
      ) : null}
      <ul className={styles.traces} aria-label={`Traces of ${visibleText(variant.name)}`}>
        {variant.traces.map(({ id, name }) => (
          <li key={id}>
            <ViewLink to={paths.trace(id)}>{visibleText(name)}</ViewLink>
            {listed.length > 1 || variant.traces.length > 1 ? (
              <Button look="bare" label={`Leave out the trace ${name}`} onClick={() => leaveOut(id)}>
                ×
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </li>
  );
}

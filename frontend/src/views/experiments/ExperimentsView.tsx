import { SearchField } from '../../components/search/SearchField';
import { Switch, SwitchGroup, Toolbar } from '../../components/toolbar/Toolbar';
import { experimentsState } from '../../viewState/experiments';
import { useViewState } from '../../viewState/useViewState';
import { Baselines } from './Baselines';
import { Comparisons } from './Comparisons';

const LISTS = ['comparisons', 'baselines'] as const;

/** What people saved: comparisons, and the runs that others are checked against. */
export default function ExperimentsView() {
  const [{ show, q }, setState] = useViewState(experimentsState);
  const List = show === 'baselines' ? Baselines : Comparisons;
  return (
    <>
      <h1 className="unseen">Experiments</h1>
      <SearchField
        label={show === 'baselines' ? 'Search baselines' : 'Search experiments'}
        value={q}
        onChange={(typed) => setState({ q: typed })}
      />
      <Toolbar>
        <SwitchGroup name="saved">
          {LISTS.map((name) => (
            <Switch
              key={name}
              isOn={show === name}
              onClick={() => setState({ show: name, q: '' }, { history: 'push' })}
            >
              {name}
            </Switch>
          ))}
        </SwitchGroup>
      </Toolbar>
      <List q={q} onShowAll={() => setState({ q: '' }, { history: 'push' })} />
    </>
  );
}

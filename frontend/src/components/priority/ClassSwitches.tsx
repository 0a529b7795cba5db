import { CLASS_NAMES, type PriorityClass } from '../../viewState/trace';
import { Switch, SwitchGroup } from '../toolbar/Toolbar';

interface ClassSwitchesProps {
  /** The classes that the tasks have. */
  readonly classes: readonly PriorityClass[];
  /** None chosen means all. */
  readonly chosen: readonly PriorityClass[];
  readonly onChosen: (chosen: PriorityClass | undefined) => void;
}

/** Tasks of all classes of priority, or of one. Where all tasks have the same class, there is nothing to choose. */
export function ClassSwitches({ classes, chosen, onChosen }: ClassSwitchesProps) {
  if (classes.length < 2 && chosen.length === 0) return null;
  return (
    <SwitchGroup name="class">
      <Switch isOn={chosen.length === 0} onClick={() => onChosen(undefined)}>
        all
      </Switch>
      {classes.map((name) => (
        <Switch key={name} isOn={chosen.includes(name)} onClick={() => onChosen(name)}>
          {CLASS_NAMES[name]}
        </Switch>
      ))}
    </SwitchGroup>
  );
}

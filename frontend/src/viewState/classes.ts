import { choiceSetField, type Field } from './fields';
import { PRIORITY_CLASSES, type PriorityClass } from './trace';
import type { RawSearch } from './viewSpec';

const ALL = 'any';

/** Tasks of which classes: of all where none is named; absent for the class that all traces measure. */
export function classesField(): Field<readonly PriorityClass[] | undefined> {
  const some = choiceSetField(PRIORITY_CLASSES);
  return {
    fallback: undefined,
    parse: (text) => (text === ALL ? [] : some.parse(text)),
    print: (classes) => (classes?.length === 0 ? ALL : some.print(classes ?? [])),
    wants: `${ALL}, or ${some.wants}`,
  };
}

/** Until version 2 an address without classes meant all of them. */
export const withAllClasses = (raw: RawSearch): RawSearch => ({ priority: ALL, ...raw });

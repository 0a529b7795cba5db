import { useCallback, useState } from 'react';

export interface ElementSize {
  readonly width: number;
  readonly height: number;
}

/** The inner size of the element that the returned callback is the `ref` of; zero before it is laid out. */
export function useElementSize(): readonly [
  ElementSize,
  (element: HTMLElement | null) => (() => void) | undefined,
] {
  const [size, setSize] = useState<ElementSize>({ width: 0, height: 0 });
  const attach = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = () =>
      setSize((before) =>
        before.width === element.clientWidth && before.height === element.clientHeight
          ? before
          : { width: element.clientWidth, height: element.clientHeight },
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [size, attach];
}

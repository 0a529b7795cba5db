/**
 * Says of the part of the page that it is in that its height is not known yet: what is below that part waits for it, so
 * that nothing moves under a pointer. The rule is in `base.css`.
 */
export function Unplaced() {
  return <span hidden ref={holdBelow} />;
}

/** How many of those are in an element. */
const held = new WeakMap<Element, number>();

/**
 * Marks the elements that this one is in, up to the page. A rule that finds them itself (`:has`) has the browser work
 * out the look of all that follows anew at whatever is added: of 1,200 elements, ten times while a trace opens.
 */
function holdBelow(element: HTMLElement): () => void {
  const parts: Element[] = [];
  for (let part = element.parentElement; part !== null && part.tagName !== 'MAIN'; part = part.parentElement)
    parts.push(part);
  const count = (by: 1 | -1) => {
    for (const part of parts) {
      held.set(part, (held.get(part) ?? 0) + by);
      part.toggleAttribute('data-unplaced', held.get(part) !== 0);
    }
  };
  count(1);
  return () => count(-1);
}

/** Moves the focus among the first links of a table's rows; from elsewhere on the page, to the first row or the last. */
export function focusRow(box: HTMLElement | null, by: 1 | -1): void {
  const links = [...(box?.querySelectorAll<HTMLElement>('tbody tr') ?? [])].flatMap(
    (row) => row.querySelector('a') ?? [],
  );
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by;
  links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
}

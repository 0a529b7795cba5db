import type { QuantumShelf, QuantumShelves } from '../../api/compare';
import type { Mark } from '../../components/distribution/distribution';
import { groupDigits } from '../../lib/ns';
import { percentText } from '../../lib/percent';

/** `1,078 – 1,079`, or the only count. */
export function shelfRange({ low, high }: QuantumShelf): string {
  return low === high ? groupDigits(low) : `${groupDigits(low)} – ${groupDigits(high)}`;
}

/** Where the shelves lie among the sorted samples of their variants: the least work comes first. */
export function shelfMarks({ variants }: QuantumShelves): readonly Mark[] {
  return variants.flatMap(({ name, shelves }) =>
    shelves.map((shelf) => ({
      group: name,
      from: shelf.at_most_share - shelf.share,
      to: shelf.at_most_share,
      value: (shelf.low + shelf.high) / 2,
      text: `${shelfRange(shelf)}: ${percentText(shelf.share, 1)}`,
    })),
  );
}

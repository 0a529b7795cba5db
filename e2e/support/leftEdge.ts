import type { Locator } from '@playwright/test';

/** Where the words that are nearest to the left edge of a page begin, in pixels, each once. */
export async function leftEdges(page: Locator, withinPx = 40): Promise<readonly number[]> {
  return page.evaluate((root, within) => {
    const edges = new Set<number>();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const { left, width, height } = range.getBoundingClientRect();
      const parent = walker.currentNode.parentElement;
      // Text for screen readers alone is one pixel wide.
      const isSeen =
        parent?.checkVisibility({ contentVisibilityAuto: true }) && parent.getBoundingClientRect().width > 1;
      if (isSeen && width > 1 && height > 1 && left >= 0 && left < within) edges.add(Math.round(left));
    }
    return [...edges].toSorted((a, b) => a - b);
  }, withinPx);
}

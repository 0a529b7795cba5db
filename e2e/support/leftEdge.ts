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

/** Where the words of the links and buttons that are nearest to the right edge end, in pixels from it, each once. */
export async function endsOfWays(page: Locator, withinPx = 24): Promise<readonly number[]> {
  return page.evaluate((root, within) => {
    const ends = new Set<number>();
    for (const way of root.querySelectorAll('a, button:not([aria-pressed])')) {
      // What has a box ends with it.
      if (getComputedStyle(way).borderTopColor !== 'rgba(0, 0, 0, 0)' && way.tagName === 'BUTTON') continue;
      const range = document.createRange();
      range.selectNodeContents(way);
      for (const { right, width } of range.getClientRects()) {
        const end = window.innerWidth - right;
        if (width > 1 && end >= 0 && end < within) ends.add(Math.round(end));
      }
    }
    return [...ends].toSorted((a, b) => a - b);
  }, withinPx);
}

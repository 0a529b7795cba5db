import { defineConfig } from '@playwright/test';

import base from './playwright.config.ts';

/** Takes the screenshots for the documentation: `make pictures`. */
export default defineConfig(base, {
  testDir: 'pictures',
  workers: 1,
  use: { trace: 'off', viewport: { width: 1440, height: 810 } },
  projects: [
    { name: 'dark', use: { colorScheme: 'dark' } },
    // Those that the product's own pages of documentation show.
    {
      name: 'light',
      use: { colorScheme: 'light' },
      grep: / (case|compare|experiment|shelves|strata|trend|run)$/,
    },
  ],
});

import { defineConfig } from '@playwright/test';

import base from './playwright.config.ts';

/** Takes the screenshots for the documentation: `make pictures`. */
export default defineConfig(base, {
  testDir: 'pictures',
  workers: 1,
  use: { colorScheme: 'dark', trace: 'off', viewport: { width: 1440, height: 810 } },
});

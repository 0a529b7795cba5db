import { defineConfig } from '@playwright/test';

import { chromium } from './support/browser.ts';
import { ports } from './support/ports.ts';

export default defineConfig({
  testDir: 'specs',
  globalSetup: './support/globalSetup.ts',
  // A spec that needs a second try is broken.
  retries: 0,
  // One more than the cores of the machine that tests run on: some wait for a service that restarts.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // On a busy machine a trace takes a while to load.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    baseURL: `http://127.0.0.1:${ports.shared}`,
    browserName: 'chromium',
    launchOptions: chromium,
    viewport: { width: 1440, height: 900 },
    // Recording every test takes a fifth of the suite's CPU. To look into one: `npx playwright test SPEC --trace on`.
    trace: 'off',
  },
});

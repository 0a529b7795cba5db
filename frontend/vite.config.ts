import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// Where `npm run dev` finds the API; a built page is served by the API itself.
const api = process.env['JITTERSCOPE_BASE_URL'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react()],
  // The page's content policy allows no data: fonts or scripts, so every asset stays a file.
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    // ECharts is one chunk of its own, loaded with the first chart.
    chunkSizeWarningLimit: 900,
  },
  server: {
    // The documentation lies beside this folder.
    fs: { allow: ['..'] },
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: api, changeOrigin: true } },
  },
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'checks/**/*.test.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    testTimeout: 20_000,
  },
});

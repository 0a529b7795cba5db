import react from '@vitejs/plugin-react';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

// Where `npm run dev` finds the API; a built page is served by the API itself.
const api = process.env['JITTERSCOPE_BASE_URL'] ?? 'http://127.0.0.1:8000';

/** Whether a module draws: it imports ECharts, or another one that does. */
function draws(id: string, imports: (id: string) => readonly string[], seen = new Set<string>()): boolean {
  if (/[\\/]node_modules[\\/]/.test(id)) return ECHARTS.test(id);
  if (seen.has(id)) return false;
  seen.add(id);
  return imports(id).some((imported) => draws(imported, imports, seen));
}

const ECHARTS = /[\\/]node_modules[\\/](?:echarts|zrender|tslib)[\\/]/;

/**
 * What several pages share: by default, it is eighty chunks, each a request that the first lanes wait for.
 * What draws stays apart from what the catalog needs, which has no chart.
 */
const SHARED: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [
    { name: 'echarts', test: ECHARTS },
    {
      name: 'vendor',
      test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|@tanstack)[\\/]/,
    },
    {
      name: (id, context) =>
        draws(id, (of) => context.getModuleInfo(of)?.importedIds ?? []) ? 'charts' : 'shared',
      test: /[\\/]src[\\/](?:api|components|lib|viewState)[\\/]/,
      minShareCount: 2,
    },
  ],
};

export default defineConfig({
  plugins: [react()],
  // The page's content policy allows no data: fonts or scripts, so every asset stays a file.
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    // ECharts is one chunk of its own, loaded with the first chart.
    chunkSizeWarningLimit: 900,
    rolldownOptions: { output: { codeSplitting: SHARED } },
  },
  server: {
    // The documentation lies beside this folder.
    fs: { allow: ['..'] },
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: api, changeOrigin: true } },
  },
  test: {
    // A context for each file rather than a process: a quarter of the time, most of which was for starting.
    pool: 'vmThreads',
    maxWorkers: '100%',
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'checks/**/*.test.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    testTimeout: 20_000,
  },
});

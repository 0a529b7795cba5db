import '../components/theme/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ProblemError } from '../api/problem';
import { KeysProvider } from '../components/keys/keys';
import { NoticesProvider } from '../components/notices/notices';
import { SearchSlotProvider } from '../components/search/SearchField';
import { startTheme } from '../components/theme/theme';
import { createAppRouter } from './router';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays a refusal; only a server that cannot be reached or has failed is asked again.
      retry: (failures, error) =>
        failures < 2 &&
        error instanceof ProblemError &&
        (error.problem.status === 0 || error.problem.status >= 500),
    },
  },
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

startTheme();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <KeysProvider>
        <NoticesProvider>
          <SearchSlotProvider>
            <RouterProvider router={createAppRouter()} />
          </SearchSlotProvider>
        </NoticesProvider>
      </KeysProvider>
    </QueryClientProvider>
  </StrictMode>,
);

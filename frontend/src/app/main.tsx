import '../components/theme/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/queryClient';
import { KeysProvider } from '../components/keys/keys';
import { NoticesProvider } from '../components/notices/notices';
import { SearchSlotProvider } from '../components/search/SearchField';
import { fontsLoaded } from '../components/theme/fonts';
import { startTheme } from '../components/theme/theme';
import { createAppRouter } from './router';
import { startPage } from './startPage';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

startTheme();
startPage(window.location.pathname);
await fontsLoaded();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
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

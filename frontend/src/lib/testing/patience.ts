import { configure } from '@testing-library/react';

// A machine that builds beside the tests is slow; what does not come at all is seen late.
configure({ asyncUtilTimeout: 10_000 });

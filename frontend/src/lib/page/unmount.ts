import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// For tests: unmounts what a test rendered.
afterEach(cleanup);

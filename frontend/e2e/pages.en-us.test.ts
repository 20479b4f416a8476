import { testPages } from './page-checks.ts';

await testPages('en-us');

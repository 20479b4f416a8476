import { testPages } from './page-checks.ts';

await testPages('ar-sa');

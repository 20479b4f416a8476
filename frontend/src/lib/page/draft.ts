import { usePage } from './page';

/** Whether the page shows a draft (`/preview/…`), which is not counted, liked or shared. */
export function useIsDraft(): boolean {
  return usePage().page === 'preview';
}

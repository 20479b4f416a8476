import { usePage } from './page';

/** Whether what is shown is not published (`/preview/…`): nobody counts, likes or shares it. */
export function useIsDraft(): boolean {
  return usePage().page === 'preview';
}

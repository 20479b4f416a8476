import { definePage } from '~/lib/page/define-page';
import { CoursePage } from './CoursePage';

export default definePage({ Component: CoursePage, messages: ['education', 'college'] });

import { definePage } from '~/lib/page/define-page';
import { EducationPage } from './EducationPage';

export default definePage({ Component: EducationPage, messages: ['education', 'college'] });

import { definePage } from '~/lib/page/define-page';
import { LoginPage } from './LoginPage';

export default definePage({ Component: LoginPage, messages: ['login'] });

export { default } from './app-deep-link-landing.page';

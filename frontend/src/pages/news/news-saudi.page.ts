export { default } from './news.page';

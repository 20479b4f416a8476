export { default } from './download.page';

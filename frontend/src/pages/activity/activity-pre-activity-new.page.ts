export { default } from './activity-seed.page';
